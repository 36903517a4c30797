//! Words of English and Chinese the demo model has to know to find anything.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that say nothing about what is asked for.
pub(super) static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "a about after again all also am an and any are as ask asked at be been before being between \
     but by came can come comes could did do does doing done each earlier else exactly for from \
     get give gave go goes going had has have he her here him his how i if in into is it its just \
     keep know last let like many may me mention mentioned might more most much must my need no \
     not now of off on one only or other our out over own please previously put recall remember \
     remind said same say says shall she should so some still such take tell than that the their \
     them then there these they thing this those to told too under up us use used using want \
     wanted was we were what when where which while who whom whose why will with would you your \
     currently moment today yet ever called please thank thanks hello hi hey"
        .split_whitespace()
        .collect()
});

/// Words that name what kind of thing is asked for; the answer may use others.
pub(super) static ATTRIBUTES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "address agreed amount belong belongs budget bug choice choose chose chosen code \
     configuration config contact cost date day deadline decide decided decision directory due \
     error fail failed fault file folder hold holds id identifier issue kept limit line live \
     lives located location long look looks maximum max message month name named number owner \
     owns path pick picked place prefer preference price question questions reason registered \
     release responsible run running runs setting settings size source spot stop stopped stored \
     ticket time value version went wrong year build built based happens happen happened pinned \
     new answer state status handled handles ships launch starts \
     start ends"
        .split_whitespace()
        .collect()
});

/// Chinese words that say nothing about what is asked for. Longer ones first.
pub(super) const CHINESE_STOP: &[&str] = &[
    "为什么",
    "什么时候",
    "是什么",
    "怎么样",
    "怎么办",
    "有没有",
    "是不是",
    "记不记得",
    "还记得",
    "之前说过",
    "告诉我",
    "请问一下",
    "的时候",
    "哪一天",
    "哪一行",
    "哪一个",
    "哪个版本",
    "什么",
    "怎么",
    "怎样",
    "多少",
    "哪里",
    "哪儿",
    "哪个",
    "哪些",
    "哪天",
    "哪位",
    "哪种",
    "我们",
    "你们",
    "他们",
    "咱们",
    "之前",
    "以前",
    "刚才",
    "上次",
    "现在",
    "目前",
    "最后",
    "最近",
    "当前",
    "记得",
    "说过",
    "提到",
    "提过",
    "说到",
    "关于",
    "请问",
    "这件事",
    "方面",
    "一起",
    "可以",
    "必须",
    "应该",
    "需要",
    "想要",
    "要求",
    "喜欢",
    "偏好",
    "决定",
    "选择",
    "选了",
    "选用",
    "采用",
    "使用",
    "放在",
    "事情",
    "联系",
    "叫做",
    "是谁",
    "一下",
    "如何",
    "为何",
    "因为",
    "所以",
    "以及",
    "还有",
    "已经",
    "没有",
    "不是",
    "一个",
    "这个",
    "那个",
    "这里",
    "那里",
    "的",
    "了",
    "吗",
    "呢",
    "吧",
    "啊",
    "是",
    "在",
    "谁",
    "哪",
    "我",
    "你",
    "您",
    "么",
];

/// Chinese words that name what kind of thing is asked for; the answer may use others. Longer ones
/// first.
pub(super) const CHINESE_ATTRIBUTES: &[&str] = &[
    "负责人",
    "设置",
    "配置",
    "文件",
    "路径",
    "目录",
    "位置",
    "地方",
    "代码",
    "问题",
    "错误",
    "报错",
    "失败",
    "提示",
    "显示",
    "版本",
    "上限",
    "限额",
    "限制",
    "预算",
    "数值",
    "数字",
    "编号",
    "号码",
    "工单",
    "日期",
    "时间",
    "上线",
    "交付",
    "发布",
    "负责",
    "名字",
    "依赖",
    "原因",
    "理由",
];

/// Words that say which of a thing's values is asked for: they may stand before its name.
pub(super) const QUALIFIERS: &[&str] = &[
    "actual",
    "actually",
    "current",
    "currently",
    "exact",
    "latest",
    "newest",
    "present",
    "right",
];

/// Words before a name.
pub(super) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "my", "our", "your", "his", "her", "their",
    "its",
];

/// Words that tie the thing that follows to what is asked of it.
pub(super) const TIES: &[&str] =
    &["of", "for", "about", "with", "on", "in", "to", "behind", "regarding", "concerning"];

/// Chinese characters that join words, or are often words by themselves: beside one of them a word
/// begins or ends.
pub(super) const JOINING: &str = "的地得了着过是在和与及或跟同为被把将给对向往由从自到于以用让叫请问找归\
随按就都也还又再才只不没有要会能可该先后前时里上下中内外等个这那哪此其我你您他她它们谁什么怎吗呢吧啊之所因\
但而且若如说看谈讲写读改查做想去来";

/// Words by which a sentence says that something is different from now on.
pub(super) const CHANGE: &[&str] = &[
    "now",
    "instead",
    "no longer",
    "not anymore",
    "moved",
    "changed",
    "raised",
    "lowered",
    "increased",
    "decreased",
    "reduced",
    "upgraded",
    "downgraded",
    "bumped",
    "replaced",
    "renamed",
    "switched",
    "migrated",
    "relocated",
    "extended",
    "shortened",
    "took over",
    "taken over",
    "handed over",
    "after all",
    "slipped",
    "postponed",
    "delayed",
    "brought forward",
    "make that",
    "correction",
    "actually",
    "updated",
    "revised",
    "reversed",
    "overruled",
    "overturned",
    "scrap",
    "scrapped",
    "cancelled",
    "became",
    "turned out",
    "from now on",
    "改",
    "换",
    "搬",
    "升级",
    "升到",
    "降级",
    "降到",
    "不再",
    "推迟",
    "延期",
    "延长",
    "缩短",
    "提前",
    "提高",
    "降低",
    "增加到",
    "减少到",
    "接手",
    "交给",
    "转给",
    "移到",
    "迁到",
    "变成",
    "变为",
    "更新",
    "更正",
    "纠正",
    "调整",
    "作废",
    "取消",
    "推翻",
    "现在",
    "如今",
    "以后",
    "今后",
    "从今",
    "原来",
];
