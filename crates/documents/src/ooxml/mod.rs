//! Word, Excel and PowerPoint files of Office Open XML: a ZIP archive (OPC package) of XML parts.
//!
//! Not here: which of the three a file is (`document_kind`), and the other formats of Office
//! (`compound_file`, `workbook`).

pub(crate) mod docx;
pub(crate) mod opc_package;
mod paragraph_prefix;
mod paragraphs;
pub(crate) mod pptx;
pub(crate) mod xlsx;
mod xml;
