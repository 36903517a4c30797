//! Words that tell what a sentence is for: a demand, a decision, a change, a guess, an order.
//!
//! Plain words of English, Chinese and German; negations, requests and conditions of more languages, too, and
//! their calendar. They only rank and label:
//! no fact depends on one of them being known, and a change whose words are unknown leaves both values
//! standing. Not here: anything a test or a measurement plants.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::word_key::{HashKeyMap, fold_case, is_han};

/// The signs that a word may give, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::facts) struct Cues(u32);

impl Cues {
    /// The user demands, forbids or prefers.
    pub const DEMAND: Self = Self(1);
    /// The same, but often only a passing wish.
    pub const WISH: Self = Self(1 << 1);
    /// Something was decided.
    pub const DECISION: Self = Self(1 << 2);
    /// One thing took the place of another.
    pub const CHANGE: Self = Self(1 << 3);
    /// One thing came to another, which stays.
    pub const ADDITION: Self = Self(1 << 4);
    /// A guess, an example, a rumour.
    pub const DOUBT: Self = Self(1 << 5);
    /// To be kept in mind.
    pub const URGE: Self = Self(1 << 6);
    /// Something went wrong.
    pub const ERROR: Self = Self(1 << 7);
    /// Speaks to its reader.
    pub const ADDRESS: Self = Self(1 << 8);
    /// Tells a reader what to do.
    pub const ORDER: Self = Self(1 << 9);
    /// Says nothing of what a clause is about.
    pub const STOP: Self = Self(1 << 10);
    /// An article or an auxiliary: tells no two things apart.
    pub const ARTICLE: Self = Self(1 << 17);
    /// Joins words: "from" and "to" tell two things apart, before a value they belong to that.
    pub const FUNCTION: Self = Self(1 << 11);
    /// May open a clause without adding to it.
    pub const OPENER: Self = Self(1 << 12);
    /// A unit that follows a number.
    pub const UNIT: Self = Self(1 << 13);
    /// A month or a day of the week.
    pub const CALENDAR: Self = Self(1 << 14);
    /// Stands for what was said before.
    pub const PRONOUN: Self = Self(1 << 15);
    /// Opens what is asked of the model now: an answer, a text, a change.
    pub const REQUEST: Self = Self(1 << 16);
    /// Tells of a thing that could be done: nothing has changed by it.
    pub const POSSIBLE: Self = Self(1 << 18);
    /// A condition: nothing that its sentence tells has changed.
    pub const CONDITION: Self = Self(1 << 19);

    /// Begins a reason.
    pub const REASON: Self = Self(1 << 20);

    /// Denies what its clause says, or another clause.
    pub const NEGATION: Self = Self(1 << 21);

    /// Tells of the past: what its sentence gives held before, whenever it is said.
    pub const PAST: Self = Self(1 << 22);

    /// True if any bit of `other` is set.
    pub fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Without the bits of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Both together.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

const WORDS: &[(Cues, &str)] = &[
    (
        Cues::DEMAND,
        "must mustn't mustn’t never always forbidden mandatory require requires required requirement prefer \
         prefers preferred preference prohibited compulsory insist constraint rule policy strictly \
         muss müssen darf dürfen immer nie niemals verboten pflicht zwingend bevorzuge",
    ),
    (
        Cues::WISH,
        "should shouldn't only avoid keep ensure want like love hate dislike rather favour favor \
         allergic vegetarian vegan don't don’t dont stick would \
         soll sollen sollte sollten nur möchte möchten will wollen lieber allergisch kein keine keinen",
    ),
    (
        Cues::DECISION,
        "decided decide decision agreed settled chose chosen conclusion concluded adopt adopted \
         opted committed entschieden beschlossen geeinigt gewählt festgelegt vereinbart entscheidung",
    ),
    (
        Cues::CHANGE,
        "now instead change changed changes move moved moves switch switched rename renamed actually \
         correction correct corrected update updated longer bump bumped raised lowered replaced replaces postponed \
         rescheduled revised pushed became anymore migrated upgraded downgraded increased decreased \
         reduced scrap scrapped superseded supersedes \
         shifted swapped slipped delayed relocated overruled overturned reversed extended shortened \
         cancelled \
         jetzt nun statt stattdessen geändert ändert verschoben verlegt umbenannt \
         korrektur aktualisiert ersetzt gewechselt inzwischen künftig",
    ),
    (
        Cues::PAST,
        "formerly previously earlier former previous originally \
         früher früherer frühere früheren vorher zuvor ehemals bisher ursprünglich",
    ),
    (
        Cues::ADDITION,
        "also too another additional additionally besides extra auch zusätzlich außerdem weitere weiterer weiteren \
         noch",
    ),
    (
        Cues::PRONOUN,
        "it its it's it’s they them their he his him she her hers er sie ihr ihre ihren ihm sein seine seinen",
    ),
    (
        Cues::DOUBT,
        "maybe perhaps might e.g example suppose imagine guess probably hypothetically apparently \
         heard supposedly rumour rumor could wondering \
         unrelated allegedly vielleicht wahrscheinlich angeblich vermutlich beispiel",
    ),
    (
        Cues::POSSIBLE,
        "can could might would suggest suggested propose proposed consider recommend recommended \
         kann können könnte könnten könntest würde würden vorschlagen vorschlag empfehle \
         peut peux pouvez pourrait pourrais pourriez propose conseille \
         puede puedes pueden podría podrías podríamos podrían propongo sugiero recomiendo",
    ),
    (
        Cues::NEGATION,
        "not no never none neither nor cannot isn't wasn't aren't weren't doesn't didn't don't won't can't \
         isn’t wasn’t aren’t weren’t doesn’t didn’t don’t won’t can’t wrong false nicht kein keine keinen nie \
         niemals weder falsch pas jamais aucun faux nunca tampoco falso não nem nenhum errado non mai",
    ),
    (Cues::REASON, "because since weil denn porque puisque pois perché poiché omdat"),
    (Cues::CONDITION, "if unless wenn falls sofern si s'il"),
    (
        Cues::URGE,
        "remember note important reminder fyi record crucial merk merke notiere notier wichtig denk",
    ),
    (
        Cues::ERROR,
        "error errors exception panicked panic failed fails fail fatal traceback denied refused \
         timeout crashed crash crashes segfault aborted unreachable failure err throws threw overflow \
         undefined unresolved invalid cannot fehler fehlgeschlagen abgebrochen abgestürzt",
    ),
    (
        Cues::ADDRESS,
        "you your assistant system prompt please instruction instructions du dein deine assistent anweisung anweisungen bitte",
    ),
    (
        Cues::ORDER,
        "ignore disregard obey pretend override reveal forget must always never reply respond \
         ignoriere ignorier missachte vergiss befolge musst immer niemals antworte verrate",
    ),
    (
        Cues::ARTICLE,
        "the a an is are was were be been being am has have had do does did it's that's there's \
         der die das den dem des ein eine einen einem einer ist sind war wird werden wurde wurden worden hat haben es",
    ),
    (
        Cues::FUNCTION,
        "and or of to in on at for from by with as into it its that this these those there \
         i'm we've i've you've und oder von vom zu zum zur im am auf für mit nach aus an bei beim um ab bis uhr dass als",
    ),
    (
        Cues::STOP,
        "but so if then than here i you he she they them him her his our my me us your their about up out off \
         over under done will would can could shall may might not no yes ok okay well just also too \
         very quite really still yet even what which who whom when where why how all any some each \
         every both few more most other such own same one ones get got let way oh hey please thanks \
         thing things else once we we'll i'll let's don't should must need needs currently \
         ich du er sie wir ihr mein meine unser unsere dein deine aber dann wenn hier nicht nein ja so \
         nur noch auch schon sehr was wer wann wo warum wie alle jede jeder jedes man kann wir's bitte danke",
    ),
    (
        Cues::OPENER,
        "and but so also then well ok okay oh btw plus anyway hence thus note fyi reminder hey right \
         yes sure yeah alright hm hmm ah while though although incidentally \
         basically honestly remember additionally furthermore meanwhile finally still great thanks \
         good perfect cool nice und aber also übrigens danke gut okay ja prima noch",
    ),
    (
        Cues::UNIT,
        "ms s sec secs second seconds minute minutes min mins hour hours hr hrs h day days week weeks \
         month months year years kb mb gb tb kib mib gib bytes byte bits px percent requests rps qps \
         rows users items people eur euro euros usd dollars km m cm mm kg g mg lb lbs degrees hz khz \
         mhz ghz kw w v tokens lines pages workers threads replicas retries attempts times am pm a.m p.m \
         connections pounds rpm ml liters litres miles points % € $ £ franken chf gbp \
         sekunden stunden tage tagen wochen monate monaten jahre jahren prozent minuten uhr stück personen grad liter",
    ),
    (
        Cues::CALENDAR,
        "january february march april may june july august september october november december jan \
         feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday \
         saturday sunday januar februar märz mai juni juli oktober dezember montag dienstag mittwoch \
         donnerstag freitag samstag sonntag januari februari maart april mei juni juli augustus \
         oktober maandag dinsdag woensdag donderdag vrijdag zaterdag zondag janvier février avril juin \
         juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi \
         dimanche gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre \
         dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica enero febrero abril mayo \
         junio julio septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes \
         sábado domingo janeiro fevereiro março maio junho julho setembro outubro novembro dezembro",
    ),
    (
        Cues::REQUEST,
        "write explain give show list tell make create translate summarise summarize describe draft \
         generate suggest compare help rewrite name recommend find fix refactor propose sketch outline \
         sum remind turn proofread check can could would what what's how why please \
         schreib schreibe erkläre erklär gib zeig zeige nenne übersetze fasse beschreibe erstelle vergleiche \
         hilf kannst könntest würdest wie was warum bitte mach erzähl formuliere \
         écris écrivez explique expliquez donne donnez traduis traduisez aide aidez rédige liste \
         peux pouvez pourrais pourriez pourquoi quel quelle quels quelles \
         escribe explica dame traduce ayúdame resume redacta puedes podrías cómo qué cuál cuáles \
         escreva escreve explique dê traduza ajude resuma redija pode poderia qual quais \
         scrivi scrivimi spiega spiegami dammi traduci aiutami riassumi elenca puoi potresti perché quale quali",
    ),
];

static TABLE: LazyLock<HashKeyMap<Cues>> = LazyLock::new(|| {
    let mut table = HashKeyMap::default();
    for (cue, words) in WORDS {
        for word in words.split_whitespace() {
            let known: &mut Cues = table.entry(fold_case(word)).or_default();
            let joins = cue.any(Cues::ARTICLE.with(Cues::FUNCTION));
            let stop = if joins { Cues::STOP } else { Cues::default() };
            *known = known.with(*cue).with(stop);
        }
    }
    table
});

/// The cues of a word that is written between spaces, by its [`fold_case`].
pub(in crate::facts) fn cues_of(key: u64) -> Cues {
    TABLE.get(&key).copied().unwrap_or_default()
}

const HAN: &[(Cues, &str)] = &[
    (
        Cues::DEMAND,
        "必须 必需 不要 不能 不准 不许 不得 不可 禁止 严禁 务必 一定要 总是 始终 永远 绝不 决不 从不 千万 别用 别再 优先 偏好 \
         更喜欢 只能 只用 只许 一律 规定 过敏 宁可 宁愿",
    ),
    (Cues::WISH, "喜欢 讨厌 我要 我想 想要 尽量 避免 要求 习惯 希望 应该 最好"),
    (
        Cues::DECISION,
        "决定 选定 选择了 选用 采用 敲定 定下 定为 就用 改用 换用 拍板 商定 约定 确定用 达成一致",
    ),
    (
        Cues::CHANGE,
        "改为 改到 改成 改用 改在 搬到 换了 换成 换到 换为 变了 变成 变为 接手 交给 转给 调整 更新 更改 变更 不再 现在 如今 更正 \
         订正 推迟 提前 移到 挪到 迁移 迁到 升级 降到 升到 提高到 作废 取消 推翻 延长 缩短 延期",
    ),
    (Cues::PAST, "之前 以前 原来 原先 此前 先前 曾经 曾是"),
    (Cues::ADDITION, "另外 还有 也是 新增 增加了"),
    (Cues::DOUBT, "例如 比如 假设 假如 可能 也许 据说 听说 好像 大概"),
    (Cues::POSSIBLE, "可以 可能 能否 能不能 建议 不妨 考虑"),
    (Cues::CONDITION, "如果 假如 假设 要是 倘若 若是 的话"),
    (Cues::NEGATION, "不 没 未 非 错"),
    (Cues::URGE, "记住 记下 记一下 备忘 注意 重要 提醒"),
    (Cues::ERROR, "错误 异常 失败 报错 超时 崩溃 拒绝 找不到 无法"),
    (Cues::ADDRESS, "你 您 助手 指令 系统提示 请"),
    (Cues::ORDER, "忽略 无视 必须 务必 不要告诉 永远 总是 绝不 服从"),
    (
        Cues::REQUEST,
        "请你 请帮 帮我 帮忙 写 解释 翻译 总结 介绍 说明 给我 列出 推荐 怎么 如何 为什么 能不能 可以",
    ),
];

/// First characters of Chinese cues, so that most of a text costs one lookup per character.
static HAN_TABLE: LazyLock<HashMap<char, Vec<(&'static str, Cues)>>> = LazyLock::new(|| {
    let mut table: HashMap<char, Vec<(&'static str, Cues)>> = HashMap::new();
    for (cue, words) in HAN {
        for word in words.split_whitespace() {
            for first in word.chars().take(1) {
                table.entry(first).or_default().push((word, *cue));
            }
        }
    }
    table
});

/// The cues of a Chinese text, each with its byte offset and length, in order.
pub(in crate::facts) fn han_cue_positions(
    text: &str,
) -> impl Iterator<Item = (usize, usize, Cues)> {
    let han = text.char_indices().filter(|(_, c)| is_han(*c));
    han.flat_map(move |(at, c)| {
        let rest = text.get(at..).unwrap_or_default();
        let known = HAN_TABLE.get(&c).map(Vec::as_slice).unwrap_or_default().iter();
        known
            .filter(move |(word, _)| rest.starts_with(word))
            .map(move |(word, cue)| (at, word.len(), *cue))
    })
}

/// The cues of a Chinese text, all its words together.
pub(in crate::facts) fn han_cues(text: &str) -> Cues {
    if text.is_ascii() {
        return Cues::default();
    }
    han_cue_positions(text).fold(Cues::default(), |told, (_, _, cue)| told.with(cue))
}

/// Chinese characters that join words and are part of hardly any name.
pub(in crate::facts) fn is_han_function(c: char) -> bool {
    "的了是在也就都着把被吗呢吧啊".contains(c)
}

/// Chinese characters that join words and name nothing: for finding passages by their words.
pub(in crate::facts) fn is_han_stop(c: char) -> bool {
    is_han_function(c)
        || "和与而及我你他她它们这那有要会到为用请个上中里从给对说一不没现什么哪几".contains(c)
}
