use super::*;

/// Returns a document with blocks of all kinds, and with texts that would break each format.
fn everything() -> Document {
    let mut said = Document::default();
    said.heading(1, strong("top").then(" · A top & <friends>"));
    said.paragraph(
        bad("FAILED")
            .strong()
            .then("  scheme/rule_changed; order 1.00 measured"),
    );
    said.item(ListItem::new(
        bad("✗")
            .then(" ")
            .then(strong("a known rule"))
            .then(" [scheme/rule_changed]"),
        [
            marked("seen: In `rk4` a32 should be 1/2, and is 9/20."),
            "look: 50 % of *it* | more".into(),
        ],
    ));
    said.item(
        caution("note:")
            .then(" see ")
            .then(link("the page", "docs/a_b.md")),
    );
    let mut table = Table::new([
        left("check"),
        right("measured"),
        TableColumn {
            on_paper_only: true,
            ..left("source")
        },
        left("verdict").whole(),
    ]);
    table.push([
        "second order in the rate, of all steps".into(),
        "1.2e-7".into(),
        "a | b".into(),
        good("pass"),
    ]);
    table.push([
        "kept".into(),
        "−h^2.00".into(),
        "".into(),
        bad("FAIL").strong(),
    ]);
    said.table(table);
    let mut compact = Table::new([right("step"), right("order")]).compact();
    compact.push(["0.04", ""]);
    compact.push(["0.02", "1.00"]);
    said.table(compact);
    said.paragraph("# no heading");
    said.preformatted("a = 1\n```\nend");
    said
}

fn terminal(width: u16) -> Console {
    Console {
        color: false,
        width: Some(width),
    }
}

#[test]
fn a_terminal_shows_it_dense() {
    insta::assert_snapshot!(terminal(80).render(&everything()));
}

#[test]
fn a_narrow_terminal_shows_lists_for_tables() {
    insta::assert_snapshot!(terminal(40).render(&everything()));
}

#[test]
fn a_document_of_markdown() {
    insta::assert_snapshot!(Markdown.render(&everything()));
}

#[test]
fn a_page() {
    insta::assert_snapshot!(Html.page("A page <", &everything()));
}

#[test]
fn a_document_of_latex() {
    insta::assert_snapshot!(Latex.render(&everything()));
}

#[test]
fn a_table_of_csv() {
    let mut table = Table::new([left("a"), right("b")]);
    table.push(["x, y", "1"]);
    table.push(["\"quoted\""]);
    assert_eq!(csv(&table), "a,b\n\"x, y\",1\n\"\"\"quoted\"\"\",\n");
}

/// Colours and weights leave the visible characters unchanged.
#[test]
fn colours_take_no_room() {
    for width in [40, 80, 120] {
        let bare = terminal(width).render(&everything());
        let color = Console {
            color: true,
            ..terminal(width)
        };
        let painted = color.render(&everything());
        assert!(painted.contains("\u{1b}[1;31mFAILED\u{1b}[0m"));
        let mut seen = String::new();
        let mut rest = &*painted;
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            seen.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        seen.push_str(rest);
        let trimmed: Vec<&str> = seen.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, bare.lines().collect::<Vec<_>>(), "{width}");
        assert!(bare.lines().all(|l| l.chars().count() <= width.into()));
    }
}

/// Foreign texts neither move the cursor nor end the element around them.
#[test]
fn texts_of_others_are_harmless() {
    let bad = "\u{1b}[2J<b>|**`\\end{verbatim}\n# x\u{202e}[a](b)";
    let mut said = Document::default();
    said.paragraph(bad);
    said.heading(2, code(bad));
    said.item(marked(bad));
    let mut table = Table::new([left(bad), right("x")]);
    table.push([bad, bad]);
    said.table(table);
    said.preformatted(bad);
    let formats: [&dyn Markup; 4] = [&terminal(80), &Markdown, &Html, &Latex];
    for text in formats.map(|markup| markup.render(&said)) {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
    assert!(!Html.render(&said).contains("<b>"));
    let page = Html.page(bad, &said);
    assert!(
        page.contains("Content-Security-Policy") && !page.contains("<script"),
        "{page}"
    );
    let markdown = Markdown.render(&said);
    let rows: Vec<&str> = markdown.lines().filter(|l| l.starts_with("| ")).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 3, "{row}");
    }
    assert_eq!(Latex.render(&said).matches("\\end{verbatim}").count(), 1);
}

#[test]
fn lines_that_are_too_long_go_on_further_in() {
    let text = "  one two three four five six seven eight nine ten\nshort\n";
    let said = "  one two three four five six seven\n    eight nine ten\nshort\n";
    assert_eq!(wrapped(text, Some(40)), said);
    assert_eq!(wrapped(text, None), text);
}
