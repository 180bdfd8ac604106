//! Documents as HTML.

use crate::{Alignment, Block, ListItem, Markup, Role, Span, Table, Text};
use std::fmt::Write;

/// HTML: the elements of a document, to stand within a page.
#[derive(Debug, Clone, Copy)]
pub struct Html;

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    table{border-collapse:collapse;margin:.6rem 0}td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left;\
    vertical-align:top;overflow-wrap:anywhere}.number{text-align:right}.good{color:#070}.caution{color:#850}.bad{color:#a00}";

impl Html {
    /// Returns a whole page.
    pub fn page(self, title: &str, document: &crate::Document) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{}</title><style>{STYLE}</style></head>\n\
             <body>\n{}</body>\n</html>\n",
            inline(&title.into()),
            self.render(document)
        )
    }
}

impl Markup for Html {
    fn block(&self, out: &mut String, block: &Block, _: Option<&Block>) {
        let _ = match block {
            Block::Heading(level, text) => {
                let level = (*level).clamp(1, 6);
                writeln!(out, "<h{level}>{}</h{level}>", inline(text))
            }
            Block::Paragraph(text) => writeln!(out, "<p>{}</p>", inline(text)),
            Block::List(items) => writeln!(out, "{}", list(items)),
            Block::Table(table) => writeln!(out, "{}", rows(table)),
            Block::Preformatted(lines) => writeln!(out, "<pre>{}</pre>", escaped(lines)),
        };
    }
}

fn list(items: &[ListItem]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let item = |i: &ListItem| format!("<li>{}{}</li>", inline(&i.text), list(&i.below));
    format!("<ul>{}</ul>", items.iter().map(item).collect::<String>())
}

fn rows(table: &Table) -> String {
    let cell = |name: &str, side: Alignment, text: &str| match side {
        Alignment::Left => format!("<{name}>{text}</{name}>"),
        Alignment::Right => format!("<{name} class=\"number\">{text}</{name}>"),
    };
    let header = table.columns.iter();
    let header: String = header
        .map(|c| cell("th", c.alignment, &escaped(&c.header)))
        .collect();
    let mut out = format!("<div class=\"scroll\"><table>\n<thead><tr>{header}</tr></thead>\n");
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns);
        let cells: String = cells
            .map(|(text, column)| cell("td", column.alignment, &inline(text)))
            .collect();
        let _ = writeln!(out, "<tr>{cells}</tr>");
    }
    out + "</table></div>"
}

fn inline(text: &Text) -> String {
    let span = |span: &Span| {
        let mut out = escaped(&span.text);
        if span.code {
            out = format!("<code>{out}</code>");
        }
        if let Some(address) = &span.link {
            out = format!("<a href=\"{}\">{out}</a>", escaped(address));
        }
        let class = match span.role {
            Role::Plain => "",
            Role::Good => "good",
            Role::Caution => "caution",
            Role::Bad => "bad",
        };
        match (span.strong, class) {
            (false, "") => out,
            (true, "") => format!("<strong>{out}</strong>"),
            (false, class) => format!("<span class=\"{class}\">{out}</span>"),
            (true, class) => format!("<strong class=\"{class}\">{out}</strong>"),
        }
    };
    text.spans.iter().map(span).collect()
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
