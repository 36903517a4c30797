//! Sheets with what a program leaves in them that only writes files.

use super::bombs::office;
use super::read;

/// The text of a workbook with these sheet attributes and cells.
fn says(sheets: &[(&str, &str)]) -> String {
    let mut parts = Vec::new();
    let (mut named, mut relations) = (String::new(), String::new());
    for (number, (attributes, cells)) in sheets.iter().enumerate() {
        named += &format!("<sheet {attributes} r:id=\"r{number}\"/>");
        let target = format!("Id=\"r{number}\" Type=\"x/worksheet\" Target=\"{number}.xml\"");
        relations += &format!("<Relationship {target}/>");
        let sheet = format!("<worksheet><sheetData>{cells}</sheetData></worksheet>");
        parts.push((format!("xl/{number}.xml"), sheet.into_bytes()));
    }
    parts.push(("xl/workbook.xml".into(), format!("<workbook>{named}</workbook>").into()));
    parts.push(("xl/_rels/workbook.xml.rels".into(), format!("<R>{relations}</R>").into()));
    let parts: Vec<(&str, Vec<u8>)> =
        parts.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    read(&office("xl/workbook.xml", &parts)).unwrap().text
}

#[test]
fn a_formula_that_was_never_reckoned_is_shown_itself() {
    let cells = "<row r=\"1\">\
        <c r=\"A1\"><f>SUM(B1:B9)</f><v></v></c>\
        <c r=\"B1\"><f>A2 &amp; \"x\"</f></c>\
        <c r=\"C1\"><f>1+1</f><v>2</v></c>\
        <c r=\"D1\" t=\"str\"><f>IF(A1,\"\",\"\")</f><v></v></c>\
        <c r=\"E1\" t=\"str\"><f>F1</f></c>\
        </row><row r=\"2\">\
        <c r=\"A2\"><f t=\"shared\" ref=\"A2:B2\" si=\"0\">C2*2</f></c>\
        <c r=\"B2\"><f t=\"shared\" si=\"0\"/></c>\
        </row>";
    let expected = "[Sheet Costs]\n\
        \tA\tB\tC\tE\n\
        1\t=SUM(B1:B9)\t=A2 & \"x\"\t2\t=F1\n\
        2\t=C2*2\t=(as in A2)\n";
    assert_eq!(says(&[("name=\"Costs\"", cells)]), expected);
}

#[test]
fn a_hidden_sheet_is_there_and_marked() {
    let cells = "<row><c t=\"inlineStr\"><is><t>wool</t></is></c></row>";
    let said = says(&[
        ("name=\"a\" state=\"visible\"", cells),
        ("name=\"b\" state=\"hidden\"", cells),
        ("name=\"c\" state=\"veryHidden\"", ""),
    ]);
    let expected = "[Sheet a]\n\tA\n1\twool\n\n\
        [Sheet b (hidden)]\n\tA\n1\twool\n\n\
        [Sheet c (hidden)]\n";
    assert_eq!(said, expected);
}

#[test]
fn cells_in_another_order_than_their_columns_are_all_shown() {
    let cell = |place: &str, text: &str| {
        format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    };
    let cells = [("C1", "silk"), ("A1", "wool"), ("B1", "flax"), ("A1", "felt")];
    let cells: String = cells.iter().map(|(place, text)| cell(place, text)).collect();
    let said = says(&[("name=\"a\"", &format!("<row r=\"1\">{cells}</row>"))]);
    assert_eq!(said, "[Sheet a]\n\tA\tB\tC\n1\twool felt\tflax\tsilk\n");
}
