//! Documents as HTML.

use crate::table::Line;
use crate::{Block, ListItem, Markup, Span, Table};

/// HTML: the elements of a document, to stand within a page.
#[derive(Debug, Clone, Copy)]
pub struct Html;

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    table{border-collapse:collapse;margin:.6rem 0}td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left;\
    vertical-align:top;overflow-wrap:anywhere}.number{text-align:right}.good{color:#070}.caution{color:#850}.bad{color:#a00}";

/// Content security policy of a page, which has no script and loads nothing.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'\">";

impl Html {
    /// Returns a whole page with a document.
    pub fn page(self, title: &str, document: &crate::Document) -> String {
        self.page_of(title, &self.render(document))
    }

    /// Returns a whole page with these elements.
    pub fn page_of(self, title: &str, elements: &str) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">{POLICY}<title>{}</title><style>{STYLE}</style></head>\n\
             <body>\n{elements}</body>\n</html>\n",
            escaped(&crate::Text::from(title).plain()),
        )
    }

    fn list(self, items: &[ListItem]) -> String {
        let item = |i: &ListItem| format!("<li>{}{}</li>", self.text(&i.text), self.list(&i.below));
        let items: String = items.iter().map(item).collect();
        if items.is_empty() {
            return items;
        }
        format!("<ul>{items}</ul>")
    }

    fn table(self, table: &Table) -> String {
        let line = |line: Line, name: &str| {
            let cell = |(column, text): (&crate::TableColumn, _)| {
                let class = if column.is_number { CLASS } else { "" };
                format!("<{name}{class}>{}</{name}>", self.text(text))
            };
            let cells: String = line.into_iter().map(cell).collect();
            format!("<tr>{cells}</tr>")
        };
        let mut lines = table.lines(true).into_iter();
        let header = lines.next().map_or(String::new(), |l| line(l, "th"));
        let rows: String = lines.map(|l| line(l, "td") + "\n").collect();
        format!("<div class=\"scroll\"><table>\n<thead>{header}</thead>\n{rows}</table></div>")
    }
}

/// The attribute of cells with numbers.
const CLASS: &str = " class=\"number\"";
/// The classes of texts by their roles.
const ROLES: [&str; 4] = ["", "good", "caution", "bad"];

impl Markup for Html {
    fn is_apart(&self, _: &Block, _: &Block) -> bool {
        false
    }

    fn block(&self, block: &Block) -> String {
        match block {
            Block::Heading(level, text) => {
                let level = (*level).clamp(1, 6);
                format!("<h{level}>{}</h{level}>", self.text(text))
            }
            Block::Paragraph(text) => format!("<p>{}</p>", self.text(text)),
            Block::List(items) => self.list(items),
            Block::Table(table) => self.table(table),
            Block::Preformatted(lines) => format!("<pre>{}</pre>", escaped(lines)),
        }
    }

    fn span(&self, span: &Span) -> String {
        let mut out = escaped(&span.text);
        if span.code {
            out = format!("<code>{out}</code>");
        }
        if let Some(address) = &span.link {
            out = format!("<a href=\"{}\">{out}</a>", escaped(address));
        }
        match (span.strong, ROLES[span.role as usize]) {
            (false, "") => out,
            (true, "") => format!("<strong>{out}</strong>"),
            (false, class) => format!("<span class=\"{class}\">{out}</span>"),
            (true, class) => format!("<strong class=\"{class}\">{out}</strong>"),
        }
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
