//! XML as text: elements, attributes and comments.

use std::fmt::Write;

/// An element, or the text of one.
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
    children: Vec<Element>,
    /// Comments before it, a line each.
    comments: Vec<String>,
}

impl Element {
    pub(super) fn new(name: &'static str) -> Self {
        Self {
            name,
            attributes: Vec::new(),
            text: String::new(),
            children: Vec::new(),
            comments: Vec::new(),
        }
    }
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }
    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }
    pub(super) fn holding(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }
    pub(super) fn below(mut self, comments: Vec<String>) -> Self {
        self.comments = comments;
        self
    }

    /// The document of which it is the root.
    pub(super) fn document(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        for line in &self.comments {
            // Two hyphens would end a comment.
            let line = plain(line).replace("--", "- -");
            let _ = writeln!(out, "{indent}<!-- {line} -->");
        }
        let _ = write!(out, "{indent}<{}", self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
        if self.children.is_empty() {
            let _ = match self.text.is_empty() {
                true => writeln!(out, "/>"),
                false => writeln!(out, ">{}</{}>", escaped(&self.text), self.name),
            };
            return;
        }
        out.push_str(">\n");
        for child in &self.children {
            child.write(out, depth + 1);
        }
        let _ = writeln!(out, "{indent}</{}>", self.name);
    }
}

/// Without control characters, which XML has no place for.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

fn escaped(text: &str) -> String {
    let text = plain(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_its_place() {
        let root = Element::new("a")
            .with("b", "\"<&>\n")
            .below(vec!["x -->--- y".into()]);
        let text = root.holding([Element::new("c").text("</c>")]).document();
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- x - ->- -- y -->\n\
            <a b=\"&quot;&lt;&amp;&gt; \">\n  <c>&lt;/c&gt;</c>\n</a>\n";
        assert_eq!(text, expected);
    }
}
