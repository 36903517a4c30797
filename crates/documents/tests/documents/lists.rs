//! Lists and headings of Word documents.

use super::bombs::office;
use super::read;

const STYLES: &str = r#"<w:styles>
    <w:style w:type="paragraph" w:styleId="a1"><w:name w:val="Normal"/></w:style>
    <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
        <w:basedOn w:val="a1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/>
        <w:basedOn w:val="berschrift1"/>
        <w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Abschnitt"><w:name w:val="Abschnitt"/>
        <w:basedOn w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Vorwort"><w:name w:val="Vorwort"/>
        <w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="af"><w:name w:val="Title"/></w:style>
    <w:style w:type="paragraph" w:styleId="Aufzhlung"><w:name w:val="List Bullet"/>
        <w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Tief">
        <w:pPr><w:numPr><w:numId w:val="6"/></w:numPr></w:pPr></w:style>
</w:styles>"#;

const NUMBERING: &str = r#"<w:numbering>
    <w:abstractNum w:abstractNumId="10">
        <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
        <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
        <w:lvl w:ilvl="2"><w:start w:val="1"/><w:isLgl/><w:numFmt w:val="decimal"/><w:lvlText w:val="%2.%3"/></w:lvl>
    </w:abstractNum>
    <w:abstractNum w:abstractNumId="11">
        <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="·"/></w:lvl>
        <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
    </w:abstractNum>
    <w:abstractNum w:abstractNumId="12">
        <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCountingThousand"/><w:pStyle w:val="Kapitel"/>
            <w:lvlText w:val="第%1章"/></w:lvl>
        <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Abschnitt"/><w:isLgl/>
            <w:lvlText w:val="%1.%2"/></w:lvl>
    </w:abstractNum>
    <w:abstractNum w:abstractNumId="13">
        <w:lvl w:ilvl="18446744073709551615"><w:pStyle w:val="Tief"/><w:lvlText w:val="%1"/></w:lvl>
    </w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="10"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="11"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="12"/></w:num>
    <w:num w:numId="4"><w:abstractNumId w:val="10"/>
        <w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
    <w:num w:numId="5"><w:abstractNumId w:val="10"/></w:num>
    <w:num w:numId="6"><w:abstractNumId w:val="13"/></w:num>
</w:numbering>"#;

/// The text of a document with these paragraphs and their properties.
fn says(paragraphs: &[(&str, &str)]) -> String {
    let paragraphs: String = paragraphs
        .iter()
        .map(|(look, words)| {
            format!("<w:p><w:pPr>{look}</w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>")
        })
        .collect();
    let named = |kind: &str| format!("<R Id=\"{kind}\" Type=\"x/{kind}\" Target=\"{kind}.xml\"/>");
    let relations = (named("styles") + &named("numbering")).replace("<R ", "<Relationship ");
    let file = office(
        "word/document.xml",
        &[
            ("word/document.xml", format!("<w:document>{paragraphs}</w:document>").into()),
            ("word/_rels/document.xml.rels", format!("<R>{relations}</R>").into()),
            ("word/styles.xml", STYLES.into()),
            ("word/numbering.xml", NUMBERING.into()),
        ],
    );
    read(&file).unwrap().text
}

fn item(list: u32, level: u32) -> String {
    format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>")
}

fn style(id: &str) -> String {
    format!("<w:pStyle w:val=\"{id}\"/>")
}

#[test]
fn the_items_of_lists_have_their_numbers_and_dashes() {
    let expected = "1. warp\n  \
          1.a) wool\n  \
          1.b) linen\n    \
            2.1 fine\n\
        2. weft\n  \
          2.a) silk\n\
        - a bullet\n\
        7. begun anew\n\
        8. and on\n\
        9. the next list of that kind goes on\n  \
          - by its style\n\
        no item\n";
    let said = says(&[
        (&item(1, 0), "warp"),
        (&item(1, 1), "wool"),
        (&item(1, 1), "linen"),
        (&item(1, 2), "fine"),
        (&item(1, 0), "weft"),
        (&item(1, 1), "silk"),
        (&item(2, 0), "a bullet"),
        (&item(4, 0), "begun anew"),
        (&item(4, 0), "and on"),
        (&item(5, 0), "the next list of that kind goes on"),
        (&style("Aufzhlung"), "by its style"),
        (&(style("Aufzhlung") + &item(0, 0)), "no item"),
    ]);
    assert_eq!(said, expected);
}

#[test]
fn headings_are_known_in_every_language_and_have_their_numbers() {
    let expected = "# The title\n\
        # Ein Kapitel ohne Nummer\n\
        # 第一章 Erstes\n\
        ## 1.1 Abschnitt\n\
        # 第二章 Zweites\n\
        ## 2.1 Abschnitt\n\
        Vorwort\n\
        ### by itself\n\
        #### not in the styles\n\
        text\n";
    let said = says(&[
        (&style("af"), "The title"),
        (&style("berschrift1"), "Ein Kapitel ohne Nummer"),
        (&style("Kapitel"), "Erstes"),
        (&style("Abschnitt"), "Abschnitt"),
        (&style("Kapitel"), "Zweites"),
        (&style("Abschnitt"), "Abschnitt"),
        (&style("Vorwort"), "Vorwort"),
        ("<w:outlineLvl w:val=\"2\"/>", "by itself"),
        (&style("Heading4"), "not in the styles"),
        (&style("a1"), "text"),
    ]);
    assert_eq!(said, expected);
}

#[test]
fn how_a_paragraph_looked_before_it_was_changed_says_nothing() {
    let before = format!("<w:pPrChange><w:pPr>{}</w:pPr></w:pPrChange>", style("berschrift1"));
    assert_eq!(says(&[(&before, "text")]), "text\n");
}

#[test]
fn r07_a_level_that_no_list_has_indents_nothing() {
    assert_eq!(says(&[(&style("Tief"), "felt")]), "- felt\n");
}
