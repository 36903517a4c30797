//! Words that tell what a sentence is for: a demand, a decision, a change, a guess, an error.
//!
//! General language only, English and Chinese. Not here: anything a test or a measurement plants.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{Keyed, fold, is_han};

/// What a word may tell, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cues(u32);

impl Cues {
    /// The person demands, forbids or prefers.
    pub const DEMAND: Self = Self(1);
    /// The same, but often only a passing request.
    pub const WISH: Self = Self(1 << 1);
    /// Something was decided.
    pub const DECISION: Self = Self(1 << 2);
    /// The same, but as often only talk.
    pub const LEANING: Self = Self(1 << 3);
    /// One thing took the place of another.
    pub const CHANGE: Self = Self(1 << 4);
    /// A guess, an example, a rumour.
    pub const DOUBT: Self = Self(1 << 5);
    /// To be kept in mind.
    pub const URGE: Self = Self(1 << 6);
    /// Something went wrong.
    pub const ERROR: Self = Self(1 << 7);
    /// Speaks to its reader: in material, the mark of a hidden instruction.
    pub const COMMAND: Self = Self(1 << 8);
    /// Says nothing of what a clause is about.
    pub const STOP: Self = Self(1 << 9);
    /// May open a clause without adding to it.
    pub const OPENER: Self = Self(1 << 10);
    /// Says who somebody is.
    pub const PERSON: Self = Self(1 << 11);
    /// A unit that follows a number.
    pub const UNIT: Self = Self(1 << 12);
    /// A month or a day of the week.
    pub const CALENDAR: Self = Self(1 << 13);
    /// Sets one thing against another.
    pub const CONTRAST: Self = Self(1 << 14);
    /// Stands for what was said before.
    pub const PRONOUN: Self = Self(1 << 15);
    /// Makes the word after it a wish.
    pub const FIRST: Self = Self(1 << 16);
    /// Says that the person speaks of themselves, or asks for something.
    pub const SELF: Self = Self(1 << 17);

    /// Whether any bit of `other` is set.
    pub fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// All but those of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Only those of `other`.
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Both together.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

const ENGLISH: &[(Cues, &str)] = &[
    (
        Cues::DEMAND,
        "must mustn't mustn’t never always forbidden mandatory require requires required requirement prefer \
         prefers preferred preference prohibited compulsory non-negotiable insist constraint rule \
         policy whenever strictly",
    ),
    (
        Cues::WISH,
        "should shouldn't only avoid keep ensure want like love hate dislike rather favour favor \
         allergic vegetarian vegan don't don’t dont stick",
    ),
    (
        Cues::DECISION,
        "decided decide decision agreed settled chose chosen conclusion concluded adopt adopted \
         opted committed",
    ),
    (
        Cues::LEANING,
        "choose choosing picked pick going let's let’s lets we'll we’ll instead because since plan switch \
         switched",
    ),
    (
        Cues::CHANGE,
        "now instead changed change changes moved switched renamed actually correction update \
         updated longer bumped raised lowered replaced replaces postponed rescheduled revised pushed \
         became anymore migrated upgraded downgraded increased decreased reduced formerly previously \
         earlier scrap scrapped superseded supersedes new modified shifted swapped slipped delayed \
         relocated overruled overturned reversed extended shortened cancelled",
    ),
    (Cues::CONTRAST, "not from rather old was before previous than isn't isn’t"),
    (Cues::PRONOUN, "it its it's it’s this that these those they their he she his her which there"),
    (Cues::SELF, "i me my mine myself i'd i’d i'm i’m please"),
    (Cues::FIRST, "i we i'd i’d we'd we’d please would you"),
    (
        Cues::DOUBT,
        "maybe perhaps might e.g example suppose imagine guess probably hypothetically apparently \
         heard supposedly rumour rumor could would someone somebody someone's somebody's wondering \
         unrelated allegedly roughly",
    ),
    (Cues::URGE, "remember note important reminder fyi record crucial"),
    (
        Cues::ERROR,
        "error errors exception panicked panic failed fails fail fatal traceback denied refused \
         timeout crashed crash crashes segfault aborted unreachable failure err throws threw overflow \
         undefined unresolved invalid cannot",
    ),
    (
        Cues::COMMAND,
        "ignore disregard instruction instructions obey you your assistant system prompt pretend \
         override reveal forget must always never please reply respond attention",
    ),
    (
        Cues::STOP,
        "the a an and or but so if then than that this these those there here is are was were be been \
         being am it its it's that's there's i i'm i've we we've you he she they them him her his our \
         my me us your their to of in on at for from by with into as about up out off over under do \
         does did done has have had will would can could shall may might not no yes ok okay well just \
         also too very quite really still yet even what which who whom when where why how all any \
         some each every both few more most other such own same one ones get got let way oh hey \
         please thanks thing things else once we'll i'll let's don't should must need needs currently \
         set sits lives exactly",
    ),
    (
        Cues::OPENER,
        "and but so also then well ok okay oh btw plus anyway hence thus note fyi reminder hey right \
         yes sure yeah alright hm hmm ah that which where while though although incidentally \
         basically honestly remember additionally furthermore meanwhile finally still great thanks \
         good perfect cool nice",
    ),
    (
        Cues::PERSON,
        "owner owns lead leads manager contact colleague maintainer maintains responsible reviewer \
         approves approver name named called ask boss client customer engineer director teammate \
         wife husband daughter son sister brother friend doctor teacher",
    ),
    (
        Cues::UNIT,
        "ms s sec secs second seconds minute minutes min mins hour hours hr hrs h day days week weeks \
         month months year years kb mb gb tb kib mib gib bytes byte bits px percent requests rps qps \
         rows users items people eur euro euros usd dollars km m cm mm kg g mg lb lbs degrees hz khz \
         mhz ghz kw w v tokens lines pages workers threads replicas retries attempts times \
         connections pounds rpm ml liters litres miles points %",
    ),
    (
        Cues::CALENDAR,
        "january february march april may june july august september october november december jan \
         feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday \
         saturday sunday",
    ),
];

static TABLE: LazyLock<Keyed<Cues>> = LazyLock::new(|| {
    let mut table = Keyed::default();
    for (cue, words) in ENGLISH {
        for word in words.split_whitespace() {
            let known: &mut Cues = table.entry(fold(word)).or_default();
            *known = known.with(*cue);
        }
    }
    table
});

/// What an English word tells, by its [`fold`].
pub(super) fn cues(key: u64) -> Cues {
    TABLE.get(&key).copied().unwrap_or_default()
}

const HAN: &[(Cues, &[&str])] = &[
    (
        Cues::DEMAND,
        &[
            "必须",
            "必需",
            "不要",
            "不能",
            "不准",
            "不许",
            "不得",
            "不可",
            "禁止",
            "严禁",
            "务必",
            "一定要",
            "总是",
            "始终",
            "永远",
            "绝不",
            "决不",
            "从不",
            "千万",
            "别用",
            "别再",
            "优先",
            "偏好",
            "更喜欢",
            "只能",
            "只用",
            "只许",
            "统一用",
            "统一使用",
            "一律",
            "规定",
            "过敏",
            "宁可",
            "宁愿",
        ],
    ),
    (
        Cues::WISH,
        &[
            "喜欢", "讨厌", "我要", "我想", "想要", "尽量", "避免", "要求", "习惯", "请用", "希望",
            "应该", "最好",
        ],
    ),
    (
        Cues::DECISION,
        &[
            "决定",
            "选定",
            "选择了",
            "选用",
            "采用",
            "敲定",
            "定下",
            "定为",
            "就用",
            "改用",
            "换用",
            "拍板",
            "商定",
            "约定",
            "确定用",
            "我们选",
            "达成一致",
        ],
    ),
    (Cues::LEANING, &["因为", "原因是", "理由是"]),
    (
        Cues::CHANGE,
        &[
            "改为",
            "搬到",
            "换了",
            "变了",
            "接手",
            "交给",
            "改成",
            "改用",
            "换成",
            "换到",
            "换为",
            "调整",
            "更新为",
            "更改",
            "变更",
            "变成",
            "变为",
            "不再",
            "现在",
            "如今",
            "更正",
            "订正",
            "推迟",
            "提前到",
            "移到",
            "挪到",
            "迁移到",
            "迁到",
            "升级到",
            "降到",
            "升到",
            "提高到",
            "之前说",
            "原来",
            "作废",
            "取消",
            "推翻",
            "延长",
            "缩短",
            "延期",
            "转给",
        ],
    ),
    (
        Cues::DOUBT,
        &["例如", "比如", "假设", "假如", "可能", "也许", "据说", "听说", "好像", "大概"],
    ),
    (Cues::SELF, &["麻烦", "请"]),
    (Cues::URGE, &["记住", "记一下", "注意", "重要", "提醒"]),
    (Cues::ERROR, &["错误", "异常", "失败", "报错", "超时", "崩溃", "拒绝", "找不到", "无法"]),
    (
        Cues::COMMAND,
        &[
            "忽略",
            "无视",
            "指令",
            "你必须",
            "请你",
            "助手，",
            "助手：",
            "助手请",
            "助手你",
            "你现在",
            "系统提示",
            "务必",
            "不要告诉",
            "你的",
        ],
    ),
    (
        Cues::PERSON,
        &[
            "负责",
            "联系",
            "叫",
            "姓名",
            "找",
            "同事",
            "经理",
            "老师",
            "客户",
            "主管",
            "牵头",
            "总监",
            "医生",
            "主任",
            "工程师",
            "介绍",
            "交接",
            "审批",
            "对接",
            "名字",
            "接手",
            "交给",
            "转给",
            "移交",
            "签字",
            "由",
            "归",
            "问",
        ],
    ),
];

/// First characters of Chinese cues, so that most of a text costs one lookup per character.
static HAN_TABLE: LazyLock<HashMap<char, Vec<(&'static str, Cues)>>> = LazyLock::new(|| {
    let mut table: HashMap<char, Vec<(&'static str, Cues)>> = HashMap::new();
    for (cue, words) in HAN {
        for word in *words {
            for first in word.chars().take(1) {
                table.entry(first).or_default().push((word, *cue));
            }
        }
    }
    table
});

/// What a Chinese text tells, all its words together.
pub(super) fn han_cues(text: &str) -> Cues {
    let mut told = Cues::default();
    if text.is_ascii() {
        return told;
    }
    for (at, c) in text.char_indices().filter(|(_, c)| is_han(*c)) {
        let Some(candidates) = HAN_TABLE.get(&c) else { continue };
        let rest = text.get(at..).unwrap_or_default();
        for (_, cue) in candidates.iter().filter(|(word, _)| rest.starts_with(word)) {
            told = told.with(*cue);
        }
    }
    told
}

/// Chinese characters that join words and name nothing.
pub(super) fn is_han_stop(c: char) -> bool {
    matches!(
        c,
        '的' | '了'
            | '是'
            | '在'
            | '和'
            | '与'
            | '也'
            | '就'
            | '都'
            | '而'
            | '及'
            | '着'
            | '把'
            | '被'
            | '我'
            | '你'
            | '他'
            | '她'
            | '它'
            | '们'
            | '这'
            | '那'
            | '有'
            | '要'
            | '会'
            | '吗'
            | '呢'
            | '吧'
            | '啊'
            | '到'
            | '为'
            | '用'
            | '请'
            | '个'
            | '上'
            | '中'
            | '里'
            | '从'
            | '给'
            | '对'
            | '说'
            | '一'
            | '不'
            | '没'
            | '现'
            | '什'
            | '么'
            | '哪'
            | '几'
    )
}
