//! The encodings of the two standard fonts without letters (ISO 32000-1, annexes D.5 and D.6).

/// The text of the codes of Symbol, from the first code of each part on.
pub(super) const SYMBOL: [(u8, &str); 2] = [
    (
        0x21,
        "\
     !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγη\
     ιϕκλμνοπθρστυϖωξψζ{|}∼",
    ),
    (
        0xa1,
        "\
     ϒ′≤⁄∞ƒ♣♢♡♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…↕ ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑ |     \
     | | ⟩∫⌠ ⌡ |     ‖",
    ),
];
/// The same for ZapfDingbats.
pub(super) const ZAPF_DINGBATS: [(u8, &str); 2] = [
    (
        0x21,
        "\
     ✁✂✃✄☎✆✇✈✉☛☞✌✍✎✏✐✑✒✓✔✕✖✗✘✙✚✛✜✝✞✟✠✡✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈\
     ❉❊❋●❍■❏❐❑❒▲▼◆❖◗❘❙❚❛❜❝❞",
    ),
    (
        0xa1,
        "\
     ❡❢❣❤❥❦❧♣♦♥♠①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→↔↕➘➙➚➛➜➝➞➟➠➡➢➣➤➥➦➧➨\
     ➩➪➫➬➭➮➯ ➱➲➳➴➵➶➷➸➹➺➻➼➽➾",
    ),
];

/// The text of each of the 256 codes.
pub(super) fn texts(encoding: &[(u8, &str)]) -> Vec<String> {
    let mut texts = vec![String::new(); 256];
    for (first, letters) in encoding {
        for (text, letter) in texts.iter_mut().skip(usize::from(*first)).zip(letters.chars()) {
            *text = letter.into();
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_stand_at_their_codes() {
        let (symbol, dingbats) = (texts(&SYMBOL), texts(&ZAPF_DINGBATS));
        for (code, letter) in
            [(0x61, "α"), (0x7e, "∼"), (0x80, ""), (0xa5, "∞"), (0xd5, "∏"), (0xf2, "∫")]
        {
            assert_eq!(symbol[code], letter, "{code:x}");
        }
        for (code, letter) in [(0x34, "✔"), (0x7e, "❞"), (0xac, "①"), (0xfe, "➾")] {
            assert_eq!(dingbats[code], letter, "{code:x}");
        }
    }
}
