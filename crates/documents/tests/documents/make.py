"""Makes the files beside it, with the libraries that make many of such files elsewhere.

Run once: python -m venv v && v/bin/pip install reportlab fpdf2 pypdf cryptography python-docx xlsxwriter \
python-pptx msoffcrypto-tool xlwt odfpy && v/bin/python make.py

Made by LibreOffice 7.4: letter.doc (soffice --convert-to doc letter.fodt), and talk.ppt (of talk.pptx) without its
picture of the first slide.
"""

import datetime
import io
import zlib

import docx
import xlsxwriter
from fpdf import FPDF
from pptx import Presentation
from pptx.util import Inches
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A5
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas


def pages():
    """Two pages: running text in two fonts, a table, and something drawn on its side."""
    page = canvas.Canvas("pages.pdf", pagesize=A5, invariant=1)
    page.setFont("Times-Bold", 18)
    page.drawString(40, 540, "The loom’s café")
    text = page.beginText(40, 500)
    text.setFont("Helvetica", 11)
    text.setLeading(14)
    text.textLines("The warp is strung first, and\nthe weft is woven through it.")
    text.textLine("")
    text.textLine("A second paragraph.")
    page.drawText(text)
    for row, cells in enumerate([("Thread", "Length", "Price"), ("Wool", "120 m", "€ 4.50")]):
        for column, cell in enumerate(cells):
            page.drawString(40 + column * 110, 400 - row * 16, cell)
    page.saveState()
    page.translate(380, 200)
    page.rotate(90)
    page.drawString(0, 0, "on its side")
    page.restoreState()
    page.showPage()
    page.setFont("Helvetica", 11)
    page.drawString(40, 540, "The deploy port of page two is 7443.")
    page.showPage()
    page.save()


def chinese_by_name():
    """No font and no map inside: only the name of an encoding, as e-invoices have it."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    page = canvas.Canvas("named.pdf", pagesize=A5, invariant=1)
    page.setFont("STSong-Light", 14)
    page.drawString(40, 540, "电子发票：上下文会自己整理。")
    page.drawString(40, 520, "金额 128.50 元")
    page.save()


def write(name, objects):
    """A PDF of these bodies, the first of which is its catalogue."""
    file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body if isinstance(body, bytes) else body.encode())
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    file += (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    ).encode()
    open(name, "wb").write(file)


def bomb():
    """A page of a few hundred bytes that unpacks to eighty megabytes."""
    content = zlib.compress(zlib.compress(b" " * (80 << 20), 9), 9)
    head = f"<< /Length {len(content)} /Filter [/FlateDecode /FlateDecode] >>\nstream\n".encode()
    write(
        "bomb.pdf",
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R >>",
            head + content + b"\nendstream",
        ],
    )


def chinese_by_map():
    """A font with codes of its own, and a map of what they stand for."""
    words = "会话永远不必结束，上下文会自己整理。"
    codes = {letter: number for number, letter in enumerate(dict.fromkeys(words), 3)}
    shown = "".join(f"{codes[letter]:04X}" for letter in words)
    lines = "\n".join(f"<{code:04X}> <{letter.encode('utf-16-be').hex()}>" for letter, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(codes)} beginbfchar\n{lines}\nendbfchar\nendcmap end end"
    )
    content = f"BT /F1 16 Tf 40 540 Td <{shown}> Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Song /Encoding /Identity-H"
        " /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Song /DW 1000"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream",
    ]
    write("mapped.pdf", objects)


def kerned():
    """Letters that are moved together one by one, as most programs write them."""
    page = FPDF(format="a5")
    page.set_creation_date(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))
    page.add_page()
    page.set_font("Times", size=12)
    page.multi_cell(0, 6, "Justified text has gaps of many widths between its words, and none of them is a column of a table. " * 2, align="J")
    page.output("justified.pdf")


def locked():
    for name, user in [("locked.pdf", "secret"), ("owned.pdf", "")]:
        writer = PdfWriter(clone_from=PdfReader("pages.pdf"))
        writer.encrypt(user_password=user, owner_password="owner", algorithm="AES-256")
        writer.write(name)


def scan():
    from PIL import Image

    picture = io.BytesIO()
    Image.new("L", (60, 80), 200).save(picture, "PNG")
    page = FPDF(format="a5")
    page.set_creation_date(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))
    page.add_page()
    page.image(picture, 10, 10, 100)
    page.output("scan.pdf")


def word():
    file = docx.Document()
    file.add_heading("The loom", 1)
    file.add_paragraph("The warp is strung first.\tThe weft comes then, 上下文也是。")
    file.add_heading("Threads", 2)
    file.add_paragraph("wool", style="List Bullet")
    table = file.add_table(2, 2)
    for row, cells in enumerate([("Thread", "Length"), ("Wool\nand linen", "120 m & more")]):
        for column, cell in enumerate(cells):
            table.cell(row, column).text = cell
    file.sections[0].header.paragraphs[0].text = "On every page"
    file.save("letter.docx")


def sheets():
    file = xlsxwriter.Workbook("budget.xlsx")
    costs = file.add_worksheet("Costs")
    day = file.add_format({"num_format": "yyyy-mm-dd"})
    share = file.add_format({"num_format": "0.0%"})
    costs.write_row(0, 0, ["Thread", "Bought", "Price", "Share"])
    costs.write_row(1, 0, ["Wool", None, 4.5, None])
    costs.write_datetime(1, 1, datetime.datetime(2026, 3, 15), day)
    costs.write_number(1, 3, 0.125, share)
    costs.write_row(3, 0, ["羊毛\n两行"])
    costs.write_formula(3, 2, "=SUM(C2:C2)", None, 4.5)
    costs.write_boolean(3, 5, True)
    file.add_worksheet("空表")
    file.close()


def slides():
    show = Presentation()
    first = show.slides.add_slide(show.slide_layouts[1])
    first.shapes.title.text = "The loom"
    first.placeholders[1].text = "Warp\nWeft 上下文"
    first.notes_slide.notes_text_frame.text = "Say it slowly."
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "Threads"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, cells in enumerate([("Thread", "Length"), ("Wool", "120 m")]):
        for column, cell in enumerate(cells):
            table.cell(row, column).text = cell
    show.save("talk.pptx")


def locked_word():
    import msoffcrypto

    with open("letter.docx", "rb") as plain, open("locked.docx", "wb") as file:
        msoffcrypto.OfficeFile(plain).encrypt("secret", file)



def old_sheets():
    import xlwt

    file = xlwt.Workbook()
    costs = file.add_sheet("Costs")
    day = xlwt.easyxf(num_format_str="yyyy-mm-dd")
    for column, text in enumerate(["Thread", "Bought", "Price"]):
        costs.write(0, column, text)
    costs.write(1, 0, "羊毛\n两行")
    costs.write(1, 1, datetime.date(2026, 3, 15), day)
    costs.write(1, 2, 4.5)
    costs.write(3, 5, True)
    file.add_sheet("Notes").visibility = 1
    file.save("budget.xls")


def open_sheets():
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    file = OpenDocumentSpreadsheet()
    table = Table(name="Costs")
    file.spreadsheet.addElement(table)
    rows = [
        [{"text": "Thread"}, {"text": "Bought"}, {"text": "Price"}],
        [{"text": "羊毛"}, {"valuetype": "date", "datevalue": "2026-03-15"}, {"valuetype": "float", "value": "4.5"}],
    ]
    for cells in rows:
        row = TableRow()
        for cell in cells:
            text = cell.pop("text", None)
            element = TableCell(**(cell if text is None else {"valuetype": "string"}))
            element.addElement(P(text=text or ""))
            row.addElement(element)
        table.addElement(row)
    file.save("budget.ods")


def binary_sheets():
    """The few records of [MS-XLSB] that a sheet of two cells needs."""
    import struct
    import zipfile

    def record(kind, data=b""):
        head = bytes([kind & 0x7F | 0x80, kind >> 7]) if kind > 0x7F else bytes([kind])
        return head + bytes([len(data)]) + data

    def wide(text):
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    book = record(131) + record(143) + record(156, struct.pack("<II", 0, 1) + wide("r1") + wide("Costs"))
    book += record(144) + record(132)
    row = struct.pack("<IIHHB", 0, 0, 300, 0, 0) + struct.pack("<III", 1, 0, 1)
    sheet = record(129) + record(148, struct.pack("<IIII", 0, 0, 0, 1)) + record(145) + record(0, row)
    sheet += record(6, struct.pack("<II", 0, 0) + wide("羊毛")) + record(5, struct.pack("<IId", 1, 0, 4.5))
    sheet += record(146) + record(130)
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = '<Relationships><Relationship Id="r1" Type="{}/{}" Target="{}"/></Relationships>'
    with zipfile.ZipFile("budget.xlsb", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_rels/.rels", relations.format(office, "officeDocument", "xl/workbook.bin"))
        file.writestr("xl/_rels/workbook.bin.rels", relations.format(office, "worksheet", "worksheets/sheet1.bin"))
        file.writestr("xl/workbook.bin", book)
        file.writestr("xl/worksheets/sheet1.bin", sheet)


for make in [pages, bomb, chinese_by_name, chinese_by_map, kerned, locked, scan, word, sheets, old_sheets, open_sheets, binary_sheets,
             slides, locked_word]:
    make()
