//! What kind of value a question asks for, and which sentences have one: told by the words of the
//! question and by the shape of the value, never by the thing that is asked about.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::words::says;

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Wanted {
    Anything,
    Person,
    Date,
    Path,
    Place,
    /// A file or a place in one.
    Somewhere,
    Version,
    Number,
    Identifier,
    Error,
    Wish,
    Choice,
}

/// Words that ask for a kind, whatever else is asked; the first that is found holds.
const ASKING: &[(Wanted, &[&str])] = &[
    (
        Wanted::Wish,
        &[
            "prefer",
            "i want",
            "ask for",
            "i like",
            "my preference",
            "要求",
            "想要",
            "我要",
            "偏好",
            "喜欢",
        ],
    ),
    (Wanted::Person, &["who", "whom", "whose", "谁", "哪位", "什么人"]),
    (
        Wanted::Date,
        &[
            "when do",
            "when does",
            "when did",
            "when is",
            "when are",
            "when was",
            "when were",
            "when will",
            "when must",
            "when should",
            "when can",
            "by when",
            "until when",
            "since when",
            "什么时候",
            "何时",
            "哪天",
            "哪一天",
            "几号",
            "几月",
        ],
    ),
];

/// Words that name a kind, in a question and in a statement alike.
const NAMING: &[(Wanted, &[&str])] = &[
    (Wanted::Date, &["date", "deadline", "which day", "due", "日期", "截止"]),
    (Wanted::Version, &["version", "版本"]),
    (Wanted::Error, &["error", "fail", "failed", "错误", "报错", "失败", "出错", "什么错"]),
    (Wanted::Place, &["in the code", "in the source", "which line", "bug", "代码", "哪一行"]),
    (Wanted::Identifier, &["ticket", "id", "identifier", "registered", "编号", "工单"]),
    (
        Wanted::Path,
        &[
            "file",
            "folder",
            "path",
            "directory",
            "settings",
            "configuration",
            "文件",
            "路径",
            "目录",
            "配置",
            "设置",
        ],
    ),
    (
        Wanted::Number,
        &[
            "how much", "how many", "how long", "limit", "budget", "price", "cost", "number",
            "port", "多少", "上限", "限额", "预算", "几个", "多久", "多长", "端口",
        ],
    ),
];

/// Words that ask for a kind where nothing names one.
const LEANING: &[(Wanted, &[&str])] = &[
    (Wanted::Somewhere, &["where", "哪里", "在哪", "哪儿"]),
    (
        Wanted::Choice,
        &[
            "choose",
            "chose",
            "chosen",
            "pick",
            "picked",
            "decide",
            "decided",
            "settle",
            "settled",
            "use",
            "build",
            "选",
            "决定",
            "用什么",
            "定的",
        ],
    ),
];

/// What a value of a kind looks like, or what is said around one.
const SHAPES: &[(Wanted, &str)] = &[
    (
        Wanted::Date,
        r"(?i)\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|tomorrow|next week|\d+\s*月|\d+\s*[日号]|星期|周[一二三四五六日]|明天|下周|\b\d{1,2}(:\d\d| ?(am|pm)\b)",
    ),
    (
        Wanted::Path,
        r"(^|[\s`\x22'“(（一-鿿])[~.]{0,2}/?[\w.-]+(/[\w.*-]+)+|\b[\w-]+\.(toml|ya?ml|json|md|rs|py|ts|tsx|js|go|c|h|cpp|java|txt|conf|ini|db|sqlite|csv|sh|html|css|svg|png|env|lock|xml)\b|[A-Z]:\\",
    ),
    (Wanted::Place, r"[\w./-]+\.\w+:\d+|line \d+|第\s*\d+\s*行|\b\w+(::|\.)\w+\("),
    (Wanted::Version, r"\b[a-z]?\d+\.\d+(\.\d+)*|\bv\d+\b|version \d|版本\s*\d"),
    (Wanted::Number, r"\d"),
    (Wanted::Identifier, r"\b[A-Za-z]*\d[\w-]*[A-Za-z-][\w-]*\b|\b[A-Za-z]+[-_#/]?\d[\w-]*\b|#\d+"),
    (
        Wanted::Person,
        r"\b[A-Z][\w'’-]+( [A-Z][\w'’-]+)+|[由归问给找叫是让成][一-鿿]{2,4}|[一-鿿]{2,3}(负责|接手|维护|管)|\b(?i:named|called|by|ask|to|is)\b [A-Z]",
    ),
    (
        Wanted::Error,
        r"(?i)error|fail|fatal|exception|panic|stopp?ed|crash|错误|失败|报错|提示|异常|崩溃|[\x22“].+[\x22”]",
    ),
    (
        Wanted::Wish,
        r"(?i)\bprefer|\bwant|\blike|\bplease|\balways|\bnever|\bwish|\bmust|\bdon'?t|喜欢|偏好|请|始终|总是|不要|必须|希望|想要|要",
    ),
    (
        Wanted::Choice,
        r"(?i)\b(decid|cho[os]|pick|settl|agree|opt)\w*|\bgo(ing)? with\b|\b(will|to) (be|use|build)\b|\bbecause\b|\bsince\b|选|决定|敲定|用|定|因为|改成|换成",
    ),
];

static COMPILED: LazyLock<HashMap<Wanted, Regex>> = LazyLock::new(|| {
    // Between a Chinese character and a Latin one there is an edge of a word, too.
    let edged = |shape: &str| Regex::new(&shape.replace(r"\b", r"(?-u:\b)")).ok();
    SHAPES.iter().filter_map(|(kind, shape)| Some((*kind, edged(shape)?))).collect()
});

impl Wanted {
    /// What a question asks for, in lower case.
    pub(super) fn of(question: &str) -> Self {
        let rows = [ASKING, NAMING, LEANING].into_iter().flatten();
        first(rows, question).unwrap_or(Self::Anything)
    }

    /// Whether a sentence has a value of the kind.
    pub(super) fn is_in(self, sentence: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Somewhere => Self::Path.is_in(sentence) || Self::Place.is_in(sentence),
            _ => COMPILED.get(&self).is_some_and(|shape| shape.is_match(sentence)),
        }
    }

    /// Whether a sentence, in lower case, names other kinds of values and not this one. What it quotes
    /// names nothing.
    pub(super) fn is_other_than_in(self, sentence: &str) -> bool {
        let own: String = sentence.split(['"', '“', '”', '`']).step_by(2).collect();
        let mut named =
            NAMING.iter().filter(|(_, words)| words.iter().any(|word| says(&own, word)));
        let nameable = NAMING.iter().any(|(kind, _)| *kind == self);
        nameable && named.clone().all(|(kind, _)| *kind != self) && named.next().is_some()
    }

    /// The most telling kind of value that a sentence shows; `None`: none by its shape.
    pub(super) fn shown(sentence: &str) -> Option<Self> {
        let kinds = [
            Self::Place,
            Self::Path,
            Self::Date,
            Self::Version,
            Self::Identifier,
            Self::Number,
            Self::Choice,
            Self::Person,
        ];
        kinds.into_iter().find(|kind| kind.is_in(sentence))
    }

    /// Whether only a sentence that shows such a value can be the answer.
    pub(super) fn always_shows(self) -> bool {
        matches!(self, Self::Version | Self::Date)
    }

    /// Whether a value of the kind is told by its shape, not by what is said around it.
    pub(super) fn is_exact(self) -> bool {
        !matches!(self, Self::Anything | Self::Wish | Self::Choice | Self::Error | Self::Person)
    }

    /// Whether a thing has one of the kind at a time, in whatever words it is said.
    pub(super) fn is_single(self) -> bool {
        !matches!(self, Self::Anything | Self::Wish)
    }
}

fn first<'r>(
    mut rows: impl Iterator<Item = &'r (Wanted, &'r [&'r str])>,
    text: &str,
) -> Option<Wanted> {
    rows.find(|(_, words)| words.iter().any(|word| says(text, word))).map(|(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_one() {
        assert_eq!(COMPILED.len(), SHAPES.len());
    }
}
