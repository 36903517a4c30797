//! Interprets the drawing operations of a page, as far as they show text.

use std::rc::Rc;

use lopdf::content::{Content, Operation};
use lopdf::{Document, Object, Stream};
use skein_domain::error::FileError;

use super::font::{Font, FontCache, Glyph};
use super::layout::{PlacedText, TextLayout};
use super::matrix::Matrix;
use super::resources::MAX_UNPACKED;
use super::resources::Resources;

/// The limit of nested forms.
const MAX_NESTED_FORMS: usize = 16;
/// The limit of bytes that the forms of a file show in total. Forms that each show two others twice
/// grow exponentially.
const MAX_FORM_BYTES: u32 = 1024 * 1024 * 1024;
/// The minimum cost of showing a form, in those bytes.
const FORM_COST: usize = 4096;

/// Bytes shown by forms so far.
#[derive(Default)]
pub(super) struct FormBytes(usize);

impl FormBytes {
    fn add(&mut self, content: &[u8]) -> Result<(), FileError> {
        self.0 = self.0.saturating_add(content.len().max(FORM_COST));
        let fits = self.0 <= MAX_FORM_BYTES as usize;
        if fits { Ok(()) } else { Err(FileError::Unpacks { limit: MAX_FORM_BYTES }) }
    }
}
/// The limit of saved graphics states.
const MAX_SAVED_STATES: usize = 512;

#[derive(Clone)]
struct GraphicsState {
    ctm: Matrix,
    font: Option<Rc<Font>>,
    size: f32,
    between_letters: f32,
    between_words: f32,
    scale: f32,
    leading: f32,
    rise: f32,
}

/// The interpreter of a page.
pub(super) struct ContentInterpreter<'a, 'b> {
    file: &'a Document,
    fonts: &'b FontCache<'a>,
    lines: &'b mut TextLayout,
    shown: &'b mut FormBytes,
    state: GraphicsState,
    /// The start of the line, and the position of the next glyph.
    line: Matrix,
    letter: Matrix,
    /// The forms being shown, the innermost last.
    forms: Vec<&'a Stream>,
}

impl<'a, 'b> ContentInterpreter<'a, 'b> {
    pub(super) fn new(
        file: &'a Document,
        fonts: &'b FontCache<'a>,
        lines: &'b mut TextLayout,
        shown: &'b mut FormBytes,
    ) -> Self {
        let state = GraphicsState {
            ctm: Matrix::NONE,
            font: None,
            size: 1.0,
            between_letters: 0.0,
            between_words: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        let (line, letter) = (Matrix::NONE, Matrix::NONE);
        Self { file, fonts, lines, shown, state, line, letter, forms: Vec::new() }
    }

    /// Runs the operations up to the end or to the first that cannot be parsed.
    pub(super) fn interpret(
        &mut self,
        content: &[u8],
        resources: &Resources<'a>,
    ) -> Result<(), FileError> {
        let mut kept = Vec::new();
        for operation in Content::decode_iter(content) {
            self.lines.go_on()?;
            let Ok(Operation { operator, operands }) = operation else { break };
            match operator.as_str() {
                "q" if kept.len() < MAX_SAVED_STATES => kept.push(self.state.clone()),
                "Q" => self.state = kept.pop().unwrap_or_else(|| self.state.clone()),
                "Do" => self.form(&operands, resources)?,
                "Tf" => self.set_font(&operands, resources),
                operator => self.operate(operator, &operands)?,
            }
        }
        Ok(())
    }

    fn operate(&mut self, operator: &str, operands: &[Object]) -> Result<(), FileError> {
        let number =
            |at: usize| operands.get(at).and_then(|it| it.as_float().ok()).unwrap_or_default();
        match operator {
            "cm" => {
                if let Some(matrix) = Matrix::read(operands) {
                    self.state.ctm = matrix.then(self.state.ctm);
                }
            }
            "BT" => self.begin_line(Matrix::NONE),
            "Tm" => self.begin_line(Matrix::read(operands).unwrap_or(Matrix::NONE)),
            "Td" => self.next_line(number(0), number(1)),
            "TD" => {
                self.state.leading = -number(1);
                self.next_line(number(0), number(1));
            }
            "T*" => self.next_line(0.0, -self.state.leading),
            "Tc" => self.state.between_letters = number(0),
            "Tw" => self.state.between_words = number(0),
            "Tz" => self.state.scale = number(0) / 100.0,
            "TL" => self.state.leading = number(0),
            "Ts" => self.state.rise = number(0),
            "Tj" | "TJ" => self.show_text(operands)?,
            "'" => {
                self.next_line(0.0, -self.state.leading);
                self.show_text(operands)?;
            }
            "\"" => {
                self.state.between_words = number(0);
                self.state.between_letters = number(1);
                self.next_line(0.0, -self.state.leading);
                self.show_text(operands.get(2..).unwrap_or_default())?;
            }
            _ => {}
        }
        Ok(())
    }

    fn set_font(&mut self, operands: &[Object], resources: &Resources<'a>) {
        let [name, size, ..] = operands else { return };
        let name = name.as_name().unwrap_or_default();
        let font = resources.find(self.file, b"Font", name).and_then(|font| font.as_dict().ok());
        self.state.font = font.map(|font| self.fonts.get(font));
        self.state.size = size.as_float().unwrap_or(1.0);
    }

    /// Shows a form: a page within a page, referred to by name.
    fn form(&mut self, operands: &[Object], resources: &Resources<'a>) -> Result<(), FileError> {
        let name = operands.first().and_then(|name| name.as_name().ok());
        let form = name.and_then(|name| resources.find(self.file, b"XObject", name));
        let Some(form) = form.and_then(|form| form.as_stream().ok()) else { return Ok(()) };
        let is_form =
            form.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|it| it == b"Form");
        // A form that shows itself adds no text.
        let shows_itself = self.forms.iter().any(|open| std::ptr::eq(*open, form));
        if !is_form || shows_itself || self.forms.len() == MAX_NESTED_FORMS {
            return Ok(());
        }
        // A form that cannot be unpacked must not lose the rest of the page.
        let content = form.get_plain_content_with_limit(MAX_UNPACKED as usize);
        let Ok(content) = content else { return Ok(()) };
        self.shown.add(&content)?;
        let own = form.dict.get_deref(b"Resources", self.file).and_then(Object::as_dict);
        let own = own.map_or_else(|_| resources.clone(), Resources::of_form);
        let before = self.state.clone();
        let matrix = form.dict.get_deref(b"Matrix", self.file).and_then(Object::as_array);
        if let Some(matrix) = matrix.ok().and_then(|numbers| Matrix::read(numbers)) {
            self.state.ctm = matrix.then(self.state.ctm);
        }
        self.forms.push(form);
        let shown = self.interpret(&content, &own);
        self.forms.pop();
        self.state = before;
        shown
    }

    fn begin_line(&mut self, at: Matrix) {
        self.line = at;
        self.letter = at;
    }

    fn next_line(&mut self, x: f32, y: f32) {
        self.begin_line(Matrix::translation(x, y).then(self.line));
    }

    /// Shows text strings with spacing between them.
    fn show_text(&mut self, operands: &[Object]) -> Result<(), FileError> {
        let Some(font) = self.state.font.clone() else { return Ok(()) };
        let operands = match operands.first().map(Object::as_array) {
            Some(Ok(several)) => several.as_slice(),
            Some(Err(_)) | None => operands,
        };
        for operand in operands {
            if let Object::String(text, _) = operand {
                for glyph in font.glyphs(text) {
                    self.draw(&font, &glyph)?;
                }
            } else if let Ok(back) = operand.as_float() {
                self.advance(&font, -back / 1_000.0 * self.state.size);
            }
        }
        Ok(())
    }

    fn draw(&mut self, font: &Font, glyph: &Glyph) -> Result<(), FileError> {
        let GraphicsState { ctm: place, size, between_letters, between_words, scale, rise, .. } =
            self.state;
        let sized = Matrix::text_scale(size, scale, rise);
        let at = sized.then(self.letter).then(place);
        let width = if font.is_vertical { -size } else { glyph.width / 1_000.0 * size };
        self.advance(font, width);
        // Character and word spacing follow the glyph and are not part of its width.
        let to = sized.then(self.letter).then(place).origin();
        let wide = if glyph.is_space { between_words } else { 0.0 };
        self.advance(font, between_letters + wide);
        let Glyph { letters, .. } = glyph;
        self.lines.place(&PlacedText { text: letters, from: at.origin(), to, height: at.height() })
    }

    fn advance(&mut self, font: &Font, by: f32) {
        let by = if font.is_vertical { (0.0, by) } else { (by * self.state.scale, 0.0) };
        self.letter = Matrix::translation(by.0, by.1).then(self.letter);
    }
}
