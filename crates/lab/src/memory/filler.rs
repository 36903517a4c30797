//! What surrounds the facts: talk, code and tool output that hold nothing asked for, with the
//! stray numbers, names and paths that real ones have.

use super::dice::Dice;

/// One language's talk.
pub struct Talk {
    sentences: &'static [&'static str],
    lists: &'static [(&'static str, &'static [&'static str])],
    between: &'static str,
}

/// English talk.
pub const ENGLISH: Talk = Talk {
    sentences: &[
        "I think the {adj} {thing} needs another look before we {act} it.",
        "The {thing} felt {adj} when I tried it this {when}.",
        "It took me about {n} minutes to {act} the {thing}.",
        "We can {act} the {adj} {thing} first and see how the {thing2} behaves.",
        "The {who} said that the {thing} is {adj}, which I did not expect.",
        "There were {n} remarks in the review of the {thing2}.",
        "What worries me is how {adj} the {thing} becomes when people {act} it.",
        "Could you explain how the {thing} and the {thing2} fit together?",
        "A {adj} {thing} is easier to live with than a {adj2} one.",
        "Last {when} the {who} tried to {act} the {thing2} and gave up.",
        "The sketch of the {thing} is on the wall next to the {thing2}.",
        "It reads well, though the part on the {thing} is rather {adj}.",
        "My feeling is that the {who} will {act} it anyway.",
        "Before lunch we went through {n} pages of notes on the {thing}.",
        "If the {thing2} stays {adj}, the {thing} hardly matters.",
        "Nobody in the room wanted to {act} the {thing} twice.",
        "There is a {adj} side to the {thing} that the {who} likes.",
        "I compared the {thing} with the {thing2} and found them equally {adj}.",
        "You could also look at it from the side of the {who}.",
        "The more we {act} the {thing}, the more {adj} it looks.",
        "That makes sense, and it explains the {adj} {thing2}.",
        "Here is how I would approach the {thing}: read it, {act} it, rest.",
        "The {when} was quiet, so I had time for the {thing}.",
        "Row {n} of the sheet on the {thing2} looked odd to the {who}.",
    ],
    lists: &[
        (
            "adj",
            &[
                "careful", "clumsy", "bright", "patient", "narrow", "steady", "fragile",
                "generous", "dense", "tidy", "plain", "curious", "slow", "lively", "warm",
                "thorough", "uneven", "modest", "robust", "awkward",
            ],
        ),
        ("adj2", &["rushed", "hollow", "noisy", "brittle", "crowded", "vague", "stubborn", "loud"]),
        (
            "thing",
            &[
                "outline",
                "prototype",
                "budget",
                "meeting",
                "garden",
                "chapter",
                "survey",
                "layout",
                "argument",
                "workshop",
                "draft",
                "contract",
                "interview",
                "lesson",
                "kitchen",
                "essay",
                "timetable",
                "proposal",
                "experiment",
                "translation",
                "playlist",
                "landing page",
            ],
        ),
        (
            "thing2",
            &[
                "appendix",
                "backlog",
                "corridor",
                "diagram",
                "estimate",
                "footnote",
                "hallway",
                "inventory",
                "leaflet",
                "melody",
                "notebook",
                "overview",
                "poster",
                "questionnaire",
                "slide deck",
                "storyboard",
                "teapot",
                "vocabulary",
            ],
        ),
        (
            "who",
            &[
                "designer",
                "neighbour",
                "committee",
                "student",
                "editor",
                "gardener",
                "team",
                "accountant",
                "librarian",
                "visitor",
                "cook",
                "carpenter",
                "producer",
                "sponsor",
            ],
        ),
        (
            "act",
            &[
                "rework",
                "publish",
                "present",
                "shorten",
                "discuss",
                "paint",
                "sort",
                "simplify",
                "repeat",
                "illustrate",
                "translate",
                "postpone",
                "share",
                "measure",
                "polish",
            ],
        ),
        (
            "when",
            &["morning", "week", "evening", "spring", "weekend", "month", "afternoon", "winter"],
        ),
        ("n", &["4", "7", "12", "15", "20", "25", "30", "40", "3", "9", "18", "50"]),
    ],
    between: " ",
};

/// Chinese talk.
pub const CHINESE: Talk = Talk {
    sentences: &[
        "我觉得这个{thing}还要再看看，有点{adj}。",
        "昨天和{who}聊了聊{thing}，气氛很{adj}。",
        "先把{thing2}{act}一下，再看{thing}的情况。",
        "{who}认为{thing}太{adj}了，我倒没有想到。",
        "花了大概{n}分钟{act}{thing2}。",
        "你能解释一下{thing}和{thing2}的关系吗？",
        "{adj}的{thing}总比{adj}的{thing2}好相处。",
        "会议上提到了{n}条意见，多数和{thing}有关。",
        "从{who}的角度看，{thing}也不算{adj}。",
        "这一段关于{thing2}的文字读起来很{adj}。",
        "{when}比较安静，我就有时间{act}{thing}了。",
        "把{thing}和{thing2}放在一起比较，差别不大。",
        "大家都没有心情再{act}一次{thing}。",
        "{thing}的草图贴在墙上，旁边是{thing2}。",
        "说得有道理，这也解释了{thing2}为什么{adj}。",
        "我们一边喝茶一边{act}{thing}。",
        "如果{thing2}一直这么{adj}，{thing}就没什么影响。",
        "{who}翻了{n}页笔记才看到{thing}那部分。",
    ],
    lists: &[
        (
            "adj",
            &[
                "仔细", "笨拙", "明亮", "耐心", "狭窄", "稳定", "脆弱", "大方", "密集", "整洁",
                "朴素", "缓慢", "热闹", "温暖",
            ],
        ),
        (
            "thing",
            &[
                "提纲",
                "样机",
                "预算",
                "会议",
                "花园",
                "章节",
                "调查",
                "版面",
                "论点",
                "工作坊",
                "合同",
                "访谈",
                "课堂",
                "厨房",
                "文章",
                "时间表",
            ],
        ),
        (
            "thing2",
            &[
                "附录",
                "走廊",
                "示意图",
                "估算",
                "脚注",
                "清单",
                "传单",
                "旋律",
                "笔记本",
                "概览",
                "海报",
                "幻灯片",
                "茶壶",
                "词汇表",
            ],
        ),
        (
            "who",
            &[
                "设计师",
                "邻居",
                "委员会",
                "学生",
                "编辑",
                "园丁",
                "团队",
                "会计",
                "图书管理员",
                "访客",
                "厨师",
                "木匠",
            ],
        ),
        (
            "act",
            &[
                "修改", "发布", "展示", "缩短", "讨论", "粉刷", "整理", "简化", "重复", "翻译",
                "分享", "测量", "打磨",
            ],
        ),
        ("when", &["早上", "这周", "傍晚", "春天", "周末", "下午", "冬天"]),
        ("n", &["4", "7", "12", "15", "20", "25", "30", "40", "3", "9", "18", "50"]),
    ],
    between: "",
};

impl Talk {
    /// So many sentences.
    pub fn say(&self, dice: &mut Dice, sentences: usize) -> String {
        let mut sentence = |_| {
            let pattern = dice.pick(self.sentences);
            dice.fill(pattern, self.lists)
        };
        (0..sentences).map(&mut sentence).collect::<Vec<_>>().join(self.between)
    }
}

const CODE_WORDS: &[(&str, &[&str])] = &[
    (
        "verb",
        &["load", "merge", "parse", "split", "fold", "trim", "visit", "encode", "collect", "probe"],
    ),
    (
        "noun",
        &[
            "Row", "Frame", "Cursor", "Bucket", "Token", "Edge", "Span", "Batch", "Shape", "Field",
            "Leaf",
        ],
    ),
    (
        "name",
        &["row", "frame", "cursor", "bucket", "token", "edge", "span", "batch", "shape", "leaf"],
    ),
    ("n", &["2", "4", "8", "16", "32", "64", "100", "256"]),
];

const CODE: &[&str] = &[
    "fn {verb}_{name}(input: &[{noun}]) -> Option<{noun}> {\n    let {name} = input.iter().take({n});\n    {name}.map(|x| x.{verb}()).last()\n}",
    "def {verb}_{name}({name}s, limit={n}):\n    for {name} in {name}s[:limit]:\n        if not {name}.ready:\n            continue\n        yield {name}.{verb}()",
    "export function {verb}{noun}({name}s: {noun}[]): {noun}[] {\n  return {name}s.filter((x) => x.size > {n}).map({verb}One);\n}",
    "class {noun}Store:\n    def __init__(self, size={n}):\n        self.items = []\n        self.size = size\n\n    def {verb}(self, {name}):\n        self.items.append({name})",
    "impl {noun} {\n    pub fn {verb}(&mut self, {name}: u32) {\n        self.{name} = {name}.min({n});\n    }\n}",
];

/// A block of code in its fence.
pub fn code(dice: &mut Dice, blocks: usize) -> String {
    let blocks: Vec<String> = (0..blocks).map(|_| fill_code(dice)).collect();
    format!("```\n{}\n```", blocks.join("\n\n"))
}

/// Braces belong to the language here: only known slots are filled.
fn fill_code(dice: &mut Dice) -> String {
    let mut text = dice.pick(CODE).to_owned();
    for (slot, words) in CODE_WORDS {
        text = text.replace(&format!("{{{slot}}}"), dice.pick(words));
    }
    text
}

const TOOL_LINES: &[&[&str]] = &[
    &[
        "-rw-r--r-- 1 app app {D}{d}{d}{d} {name}_{name2}.rs",
        "drwxr-xr-x 3 app app 4096 {name2}",
        "-rw-r--r-- 1 app app {D}{d}{d} {name2}-{name}.md",
    ],
    &["test {name}::{verb}_{name2}_{verb2} ... ok", "test {name2}::{verb}s_the_{name} ... ok"],
    &[
        "10.0.{d}.{D} GET /api/{name}s/{D}{d}{d} 200 {D}{d}ms",
        "10.0.{d}.{D} POST /api/{name2}s 201 {D}{d}{d}ms",
        "10.0.{d}.{D} GET /assets/{name}.css 304 {D}ms",
    ],
    &[
        "{{\"id\": {D}{d}{d}{d}, \"{name}\": \"{verb}\", \"{name2}\": {D}{d}}},",
        "{{\"id\": {D}{d}{d}{d}, \"{name}\": \"{verb2}\", \"ok\": true}},",
    ],
    &[
        "src/{name}/{name2}.rs:{D}{d}: let {name} = {verb}_{name2}(input);",
        "src/{name2}/mod.rs:{D}{d}{d}: pub use {name}::{verb};",
    ],
];

const TOOL_WORDS: &[(&str, &[&str])] = &[
    (
        "name",
        &["row", "frame", "cursor", "bucket", "token", "edge", "span", "batch", "shape", "leaf"],
    ),
    (
        "name2",
        &["layout", "queue", "writer", "reader", "panel", "theme", "matrix", "vector", "route"],
    ),
    ("verb", &["load", "merge", "parse", "split", "fold", "trim", "visit", "encode"]),
    ("verb2", &["twice", "empty", "lazily", "fast", "again"]),
];

/// So many lines of one kind of tool output.
pub fn output(dice: &mut Dice, lines: usize) -> Vec<String> {
    let kind = TOOL_LINES.get(dice.below(TOOL_LINES.len())).copied().unwrap_or_default();
    let line = |_| {
        let pattern = dice.pick(kind).replace("{{", "\u{1}").replace("}}", "\u{2}");
        dice.fill(&pattern, TOOL_WORDS).replace('\u{1}', "{").replace('\u{2}', "}")
    };
    (0..lines).map(line).collect()
}
