//! XML documents, written by quick-xml with two blanks a level.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// Writer of XML in memory.
pub(super) type Xml = Writer<Vec<u8>>;

/// Writes a document: comments, a line each, then the element that `root` writes.
pub(super) fn document(
    comments: &[String],
    root: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    let written = write(&mut xml, comments, root);
    written.expect("writing to memory cannot fail");
    let text = String::from_utf8(xml.into_inner());
    text.expect("all parts are texts") + "\n"
}

fn write(
    xml: &mut Xml,
    comments: &[String],
    root: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    let declaration = BytesDecl::new("1.0", Some("utf-8"), None);
    xml.write_event(Event::Decl(declaration))?;
    for line in comments {
        // Two hyphens would end a comment.
        let text = format!(" {} ", line.replace("--", "- -"));
        xml.write_event(Event::Comment(BytesText::from_escaped(text)))?;
    }
    root(xml)
}

/// Writes an element with attributes and no content.
pub(super) fn empty(xml: &mut Xml, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
    let element = xml.create_element(name);
    let element = element.with_attributes(attributes.iter().copied());
    element.write_empty().map(drop)
}

/// Writes an element with attributes and a text.
pub(super) fn text(
    xml: &mut Xml,
    name: &str,
    attributes: &[(&str, &str)],
    text: &str,
) -> io::Result<()> {
    let element = xml.create_element(name);
    let element = element.with_attributes(attributes.iter().copied());
    element.write_text_content(BytesText::new(text)).map(drop)
}

/// Writes an element with attributes and the content that `inner` writes.
pub(super) fn element(
    xml: &mut Xml,
    name: &str,
    attributes: &[(&str, &str)],
    inner: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    let element = xml.create_element(name);
    let element = element.with_attributes(attributes.iter().copied());
    element.write_inner_content(inner).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_its_place() {
        let written = document(&["x -->--- y".into()], |xml| {
            element(xml, "a", &[("b", "\"<&>")], |xml| {
                text(xml, "c", &[], "</c>")
            })
        });
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- x - ->- -- y -->\n\
            <a b=\"&quot;&lt;&amp;&gt;\">\n  <c>&lt;/c&gt;</c>\n</a>\n";
        assert_eq!(written, expected);
    }
}
