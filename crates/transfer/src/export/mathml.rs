//! Formulas as MathML, for an exported page and the clipboard.
//!
//! A formula stays TeX if the library does not know it, if it is so large that the library might overflow
//! the stack, or if its MathML has anything but the elements and attributes listed here. Not here: where a
//! formula begins and ends (`markdown_html`).

use std::sync::LazyLock;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

const MAX_BYTES: usize = 4_000;

/// The most characters that begin a command, a group or a comment. The library calls itself at most once for
/// each and then needs up to 2 kB of the stack, so that a quarter of a megabyte is enough.
const MAX_OPENINGS: usize = 128;

/// Commands that the library does not know, or knows only in numbered equations. A box gets no frame.
const MACROS: [(&str, &str); 4] = [
    ("boxed", "{#1}"),
    ("substack", r"\begin{subarray}{c} #1 \end{subarray}"),
    ("tag", r"\qquad(\mathrm{#1})\nonumber"),
    ("textcolor", r"{\color{#1}#2}"),
];

/// Elements that contain text alone.
const TOKENS: &str = "annotation mi mn mo mspace mtext";

const CONTAINERS: &str = "math mfrac mmultiscripts mover mpadded mphantom mprescripts mroot mrow msqrt \
                          mstyle msub msubsup msup mtable mtd mtr munder munderover semantics";

const ATTRIBUTES: &str = "accent accentunder columnspan display displaystyle encoding form height largeop \
                          linethickness lspace mathvariant maxsize minsize movablelimits rspace \
                          scriptlevel stretchy style symmetric width xmlns";

static CONVERTER: LazyLock<Option<LatexToMathML>> = LazyLock::new(|| {
    let config = MathCoreConfig {
        macros: MACROS.map(|(name, tex)| (name.to_owned(), tex.to_owned())).into(),
        xml_namespace: true,
        annotation: true,
        ..MathCoreConfig::default()
    };
    LatexToMathML::new(config).ok()
});

/// The formula as MathML with its TeX as annotation, or `None` if it is to be shown as TeX.
pub(crate) fn mathml(tex: &str, is_display: bool) -> Option<String> {
    let is_small = tex.len() <= MAX_BYTES && tex.matches(['\\', '{', '%']).count() <= MAX_OPENINGS;
    // A formula within `\text` would be shown as TeX.
    let has_inner_formula = tex.replace("\\$", "").contains('$');
    if !is_small || has_inner_formula || !are_operator_names_plain(tex) {
        return None;
    }
    let display = if is_display { MathDisplay::Block } else { MathDisplay::Inline };
    let converted = CONVERTER.as_ref()?.convert_with_local_state(tex, display).ok()?;
    is_harmless(&converted.mathml).then_some(converted.mathml)
}

/// True if each `\operatorname` has a name of letters and digits. The library does not escape the name, so
/// that `<` in it would begin a tag.
fn are_operator_names_plain(tex: &str) -> bool {
    tex.split("\\operatorname").skip(1).all(|rest| {
        let argument = rest.trim_start_matches("withlimits").trim_start_matches('*').trim_start();
        let name = argument.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let is_plain = |it: char| it.is_alphanumeric() || it == ' ' || it == '-';
        name.is_some_and(|(name, _)| name.replace("\\,", " ").chars().all(is_plain))
    })
}

/// True if this is XML of nothing but the listed elements and attributes, so that a browser, which reads
/// HTML, finds the same elements in it.
fn is_harmless(mathml: &str) -> bool {
    let mut reader = Reader::from_str(mathml);
    let mut is_in_token = false;
    loop {
        let is_allowed = match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let is_outside = !is_in_token;
                is_in_token = is_in(TOKENS, tag.name().0);
                is_outside && is_listed(&tag)
            }
            Ok(Event::Empty(tag)) => !is_in_token && is_listed(&tag),
            Ok(Event::End(_)) => {
                is_in_token = false;
                true
            }
            Ok(Event::Text(_)) => true,
            Ok(Event::GeneralRef(name)) => {
                name.is_char_ref() || resolve_predefined_entity(&name).is_some()
            }
            Ok(Event::Eof) => return true,
            Ok(
                Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_),
            )
            | Err(_) => false,
        };
        if !is_allowed {
            return false;
        }
    }
}

fn is_listed(tag: &BytesStart<'_>) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " .:;#%/-".contains(it);
    let name = tag.name().0;
    (is_in(TOKENS, name) || is_in(CONTAINERS, name))
        && tag.attributes().all(|attribute| {
            attribute.is_ok_and(|it| is_in(ATTRIBUTES, it.key.0) && it.value.chars().all(is_plain))
        })
}

fn is_in(names: &str, name: &str) -> bool {
    names.split(' ').any(|it| it == name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The MathML without its root and annotation.
    fn presentation(tex: &str) -> String {
        let mathml = mathml(tex, true).unwrap_or_else(|| panic!("{tex} stays TeX"));
        let (_, inside) = mathml.split_once("<semantics>").unwrap();
        inside.split_once("<annotation").unwrap().0.to_owned()
    }

    #[test]
    fn a_formula_is_mathml_with_its_tex() {
        assert_eq!(
            mathml("x<y", false).unwrap(),
            "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics>\
             <mrow><mi>x</mi><mo>&lt;</mo><mi>y</mi></mrow>\
             <annotation encoding=\"application/x-tex\">x&lt;y</annotation></semantics></math>"
        );
        let display = mathml("x", true).unwrap();
        assert!(display.contains(" display=\"block\""), "{display}");
    }

    #[test]
    fn the_formulas_of_replies_are_mathml() {
        for (tex, part) in [
            (r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}", "<mfrac>"),
            (r"\sum_{i=1}^{n} i", "<munderover>"),
            (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "<mtable"),
            (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "text-align: right"),
            (r"\begin{cases} x & \text{if } x \ge 0 \\ -x \end{cases}", "<mo>{</mo>"),
            (r"\text{速度} = \frac{距离}{t}", "<mtext>速度</mtext>"),
            (r"\operatorname*{arg\,max}_\theta L", "arg\u{2009}max"),
            (r"\mathbb{R}", "ℝ"),
            (r"\underbrace{a + b}_{n}", "⏟"),
            (r"\boxed{x = 5}", "<mn>5</mn>"),
            (r"x = 1 \tag{2}", "<mn>2</mn>"),
            (r"\sum_{\substack{i<j \\ j<k}} a", "<mtable"),
            (r"\textcolor{blue}{y}", "color:#0000FF"),
        ] {
            let shown = presentation(tex);
            assert!(shown.contains(part), "{tex}: {shown}");
        }
        let tagged = presentation(r"\begin{align} x \tag{3} \end{align}");
        assert!(!tagged.contains("(1)"), "a tag takes the place of the number: {tagged}");
    }

    #[test]
    fn a_formula_that_is_unknown_or_writes_markup_stays_tex() {
        for tex in [
            r"\ce{H2O}",
            r"\href{javascript:run()}{x}",
            r"\eqref{<i>}",
            r"\operatorname{<i>}",
            r"\operatorname{<mi>x</mi>}",
            r"\operatorname*{\lt mi\gt x\lt/mi\gt}",
            r"\operatorname\lt",
            r"\operatornamewithlimits %
               {\lt i\gt}",
            r"\textbf{bold}",
            r"\text{if $x$}",
        ] {
            assert_eq!(mathml(tex, true), None, "{tex}");
        }
    }

    #[test]
    fn the_check_refuses_what_the_library_should_not_write() {
        for html in [
            "<math><script>run()</script></math>",
            "<math><mo><mi>x</mi></mo></math>",
            "<math><mo>a<b</mo></math>",
            "<math><mi onclick=\"run()\">x</mi></math>",
            "<math><mi style=\"background: url(//a.example)\">x</mi></math>",
            "<math><mi>&nbsp;</mi></math>",
            "<math><!-- --></math>",
            "<math><![CDATA[<b>]]></math>",
            "<math><MI>x</MI></math>",
            "<math><mi>x</mo></math>",
        ] {
            assert!(!is_harmless(html), "{html}");
        }
    }

    /// The smallest stack of a thread that formats texts is four times as large.
    #[test]
    fn a_formula_of_the_largest_size_fits_into_half_a_megabyte_of_stack() {
        let nested = [
            ("{", "}"),
            ("x^{", "}"),
            ("\\frac1", ""),
            ("\\frac{1}{", "}"),
            ("\\sqrt[", "]{x}"),
            ("\\left(", "\\right)"),
            ("\\begin{aligned}", "\\end{aligned}"),
            ("\\mathrm{", "}"),
            ("\\color{red}", ""),
            ("\\Bra{", "}"),
            ("\\boxed{", "}"),
            ("\\substack{", "}"),
            ("\\textcolor{red}{", "}"),
            ("\\tag{", "}"),
            ("%\n", ""),
        ];
        let convert = move || {
            nested.map(|(open, close)| {
                let depth = MAX_OPENINGS / open.matches(['\\', '{', '%']).count();
                mathml(&format!("{} x{}", open.repeat(depth), close.repeat(depth)), true)
            })
        };
        let thread = std::thread::Builder::new().stack_size(512 * 1024);
        assert_eq!(thread.spawn(convert).unwrap().join().unwrap().len(), nested.len());
        assert_eq!(mathml(&"{".repeat(MAX_OPENINGS + 1), true), None);
        assert_eq!(mathml(&"x".repeat(MAX_BYTES + 1), true), None);
    }

    /// Pieces from which formulas with markup, unbalanced groups and misplaced commands are made.
    const PIECES: [&str; 44] = [
        "<",
        ">",
        "&",
        "\"",
        "'",
        "{",
        "}",
        "\\",
        "^",
        "_",
        "[",
        "]",
        "%",
        "#",
        "$",
        "~",
        " ",
        "\n",
        "/",
        "x",
        "2",
        "mi",
        "script",
        "&lt;",
        "<mi>",
        "</mo>",
        "<b>",
        "<!--",
        "\\lt ",
        "\\gt ",
        "\\&",
        "\\\\",
        "\\not",
        "\\operatorname",
        "\\operatorname{",
        "\\text{",
        "\\textbf{",
        "\\frac",
        "\\left(",
        "\\right)",
        "\\begin{matrix}",
        "\\end{matrix}",
        "\\tag{",
        "\\boxed{",
    ];

    proptest! {
        #[test]
        fn no_formula_brings_a_tag_that_is_not_listed(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
            is_display: bool,
        ) {
            let tex = pieces.concat();
            let html = mathml(&tex, is_display).unwrap_or_default();
            for tag in html.split('<').skip(1) {
                let name = tag.trim_start_matches('/').split([' ', '>', '/']).next().unwrap_or_default();
                prop_assert!(is_in(TOKENS, name) || is_in(CONTAINERS, name), "{tex}: {html}");
            }
            let end = "</annotation></semantics></math>";
            let annotation = html.split_once("x-tex\">").map(|(_, rest)| rest.replace(end, ""));
            let escaped = tex.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            prop_assert!(annotation.is_none_or(|it| it == escaped), "{tex}: {html}");
        }
    }
}
