//! Canned replies of the demo model: about itself, when it quotes, and long texts that fill a context.
//!
//! They are stored and sent back as parts of a reply, so they stand here and not in `ui/src/i18n`.

use std::sync::LazyLock;

use regex::Regex;
use skein_context::facts::Author;
use skein_context::prompts::{Language, tool_result_text};
use skein_domain::message::{ToolCall, ToolState};

use super::context_answer::is_question;

/// Characters of a tool's output that a reply repeats.
const MAX_OUTPUT_CHARS: usize = 700;

/// A text in English and in Chinese.
type Text = [&'static str; 2];

/// The words that begin a conversation.
const GREETING: Text = [
    "Hello! I am Skein's demo model. I work without a network and know only what is said here. Tell me something, and ask me about it later; or say \"write a long text about rivers\" to see the context fill.",
    "你好！我是 Skein 的演示模型，不需要网络，只知道这里说过的话。先告诉我一些事，过一会儿再问我；也可以说“写一篇关于河流的长文”，看看上下文怎样被填满。",
];
/// The reply to a message that asks nothing. It does not repeat the message: an echo would be stored and
/// later be quoted in place of the original.
const NOTED: Text = ["Noted; you can ask me about it later.", "记下了，之后可以再问我。"];
/// The reply when the context holds no answer.
const NOT_IN_CONTEXT: Text = [
    "I do not have that in my context: I know only what has been said here and is still in my window. Tell me, and I will be able to answer.",
    "我的上下文里没有这个内容：我只知道这里说过、并且还在窗口里的话。告诉我，我就能回答了。",
];
/// The reply when the user refused a call of the tool `#`.
const DENIED: Text = ["You did not allow `#`, so I left it.", "你没有允许 `#`，所以我没有做。"];
/// The words before a quote of the user, of the model and of other texts.
const OPENINGS: [Text; 3] = [
    ["You said: “", "你说过：“"],
    ["I said earlier: “", "我之前说过：“"],
    ["In my context it says: “", "上下文里写着：“"],
];
/// What Skein does, a paragraph for each reply that has nothing else to say.
const ABOUT_SKEIN: [Text; 4] = [
    [
        "While we talk, the figure in the composer's edge grows: it is what your next message would send, counted before anything leaves this machine. Click on it and you see every part of it.",
        "我们聊天的时候，输入框旁边的数字会变大：它是你下一条消息要发送的全部内容，在离开这台电脑之前就数好了。点一下就能看到每个部分。",
    ],
    [
        "When the conversation has grown long, a summary will take the place of its earlier part, with the facts beside it word for word. Your messages stay above it, complete and readable.",
        "对话变长之后，前面的部分会由一份摘要代替，事实逐字保留在旁边。你的消息仍然完整地留在上面，随时可读。",
    ],
    [
        "Nothing you said is ever deleted by a compaction. It only changes what the model is sent, and the button \"What the model sees\" shows exactly that.",
        "压缩不会删除你说过的任何话，它只改变发送给模型的内容；“模型看到的内容”会如实显示。",
    ],
    [
        "Ask me later about something you said earlier. If it is still in my window, or in the summary, I will quote the sentence; if it is not, I will say so rather than invent one.",
        "稍后可以问我你之前说过的事。如果它还在我的窗口或摘要里，我会引用原句；如果不在，我会直说，不会编造。",
    ],
];
/// The paragraphs of a long text; `#` stands for its subject.
const PARAGRAPHS: [Text; 4] = [
    [
        "There are several ways to look at #, and none of them is wrong. The first is to ask what is plainly visible, before any explanation is attempted, and to write that down.",
        "看待#有好几种方式，没有哪一种是错的。第一种是先问清楚眼前能看到什么，在解释之前把它写下来。",
    ],
    [
        "People who have spent years with # tend to speak of patience. They describe small changes that nobody notices for a long time and that everybody takes for granted afterwards.",
        "和#打了多年交道的人常常谈到耐心。他们说起那些长期没人注意、后来又被当成理所当然的小变化。",
    ],
    [
        "It helps to separate what is essential to # from what merely came along with it. Much that looks necessary turns out to be habit, and habits can be examined one at a time.",
        "把#里真正重要的部分和顺带出现的部分分开，会很有帮助。许多看似必要的东西其实只是习惯，而习惯可以一个一个地检查。",
    ],
    [
        "A good exercise is to explain # to someone who has never heard of it. The gaps in one's own understanding show at once, and closing them is more useful than any summary.",
        "一个好办法是把#讲给从没听说过的人听。自己理解上的空缺会立刻显现，补上它们比任何总结都有用。",
    ],
];
/// Paragraphs of a long text.
const LONG: usize = 16;

fn in_language([english, chinese]: Text, language: Language) -> &'static str {
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

pub(super) fn greeting(asked: &str, language: Language) -> String {
    with_paragraph(GREETING, asked, language)
}

pub(super) fn noted(asked: &str, language: Language) -> String {
    with_paragraph(NOTED, asked, language)
}

/// A reply with a paragraph about Skein; the same words always have the same one.
fn with_paragraph(reply: Text, asked: &str, language: Language) -> String {
    let sum =
        asked.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let paragraph = ABOUT_SKEIN.get(sum % ABOUT_SKEIN.len()).copied().unwrap_or_default();
    format!("{}\n\n{}", in_language(reply, language), in_language(paragraph, language))
}

pub(super) fn not_in_context(language: Language) -> String {
    in_language(NOT_IN_CONTEXT, language).to_owned()
}

/// True if the user greets the model, or asks about it.
pub(super) fn greets(asked: &str) -> bool {
    static GREETS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^\W*(hi|hello|hey|good (morning|evening|day))\b.{0,20}$|\b(who|what) are you\b|what can you do|how (do|does) (you|skein|this|compaction) work|^(你好|您好|嗨)|你是谁|你能做什么|你会什么").ok()
    });
    GREETS.as_ref().is_some_and(|greets| greets.is_match(asked.trim()))
}

/// A long text on a subject; `None` if the user did not ask for one.
pub(super) fn long_text(asked: &str, language: Language) -> Option<String> {
    static ASKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:write|tell|give)\b[^\n]*\b(?:long|text|essay|story|article|paragraphs?)\b[^\n]*?\b(?:about|on) ([^\n.?!]+)|(?:写|讲|来)[^\n]*?关于([^\n，。？！]+?)的?(?:长文|文章|故事|长篇|短文|文字)|explain ([^\n.?!]{3,60}) in (?:great )?detail").ok()
    });
    let found = ASKS.as_ref()?.captures(asked)?;
    let subject = found.iter().skip(1).flatten().next()?.as_str().trim();
    let texts = PARAGRAPHS.iter().cycle().map(|text| in_language(*text, language));
    let numbered = (1..=LONG).zip(texts);
    let paragraphs = numbered.map(|(at, text)| format!("{at}. {}", text.replace('#', subject)));
    Some(paragraphs.collect::<Vec<_>>().join("\n\n"))
}

/// True if the text asks a question.
pub(super) fn asks(text: &str) -> bool {
    static ASKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^\W*(what|which|who|whom|whose|when|where|why|how|do you (know|remember)|did (i|we|you)|is|are|was|were|does|can you (tell|remind)|(please )?(tell|remind|show|quote|give|name|point) me (of |to )?(what|which|who|whose|when|where|how|the|our|my|your))\b|什么|哪|多少|谁|为何|几(个|点|号|天)|吗[？?。]?$|呢[？?。]?$|告诉我").ok()
    });
    is_question(text.trim()) || ASKS.as_ref().is_some_and(|asks| asks.is_match(text.trim()))
}

/// An answer that quotes a sentence of the context.
pub(super) fn quote(author: Author, text: &str, language: Language) -> String {
    let [user, model, material] = OPENINGS;
    let opening = match author {
        Author::User => user,
        Author::Model => model,
        Author::Material => material,
    };
    format!("{}{text}”", in_language(opening, language))
}

/// True if the demo model wrote the sentence itself. Such a sentence answers no question.
pub(super) fn is_own(text: &str) -> bool {
    OPENINGS.iter().flatten().any(|opening| text.starts_with(opening))
        || NOT_IN_CONTEXT.iter().any(|reply| reply.contains(text))
}

/// The result of a tool call.
pub(super) fn outcome(call: &ToolCall, language: Language) -> String {
    let name = &call.name;
    if matches!(call.state, ToolState::Denied {}) {
        return in_language(DENIED, language).replace('#', name);
    }
    let shown: String = tool_result_text(call).chars().take(MAX_OUTPUT_CHARS).collect();
    format!("`{name}`:\n\n```\n{shown}\n```")
}
