//! Sources by their keys in `docs/references.bib`.

use biblatex::{Bibliography, ChunksExt, Entry};
use document::Document;
use std::sync::LazyLock;

static SOURCES: LazyLock<Bibliography> = LazyLock::new(|| {
    let text = include_str!("../../docs/references.bib");
    Bibliography::parse(text).expect("a test reads the sources")
});

/// Returns the keys of all sources.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|entry| &*entry.key)
}

/// Returns the page of a source: authors, year, title, where it appeared, and its address.
pub(super) fn page(key: &str) -> Option<Document> {
    let entry = SOURCES.get(key)?;
    let field = |name: &str| entry.get(name).map(|chunks| chunks.format_verbatim());
    let mut out = Document::default();
    let year = field("year").or_else(|| field("date"));
    let authors = authors(entry);
    let head = match year {
        Some(year) => format!("{authors} ({year})"),
        None => authors,
    };
    out.paragraph(format!("{key}: {head}"));
    out.items(field("title"));
    let place = [
        "journal",
        "booktitle",
        "publisher",
        "school",
        "institution",
        "howpublished",
    ];
    let place = place.into_iter().find_map(field);
    let volume = field("volume").map(|volume| format!("volume {volume}"));
    let pages = field("pages").map(|pages| format!("pages {}", pages.replace("--", "–")));
    let place: Vec<String> = [place, volume, pages].into_iter().flatten().collect();
    out.items((!place.is_empty()).then(|| place.join(", ")));
    out.items(field("note"));
    let doi = field("doi").map(|doi| format!("https://doi.org/{doi}"));
    out.items(doi.or_else(|| field("url")));
    Some(out)
}

/// Returns the authors of a source, or else its editors or nobody.
fn authors(entry: &Entry) -> String {
    let authors = entry.author().unwrap_or_default();
    let names = authors.iter().map(|person| match &*person.given_name {
        "" => person.name.clone(),
        given => format!("{given} {}", person.name),
    });
    let names: Vec<String> = names.collect();
    match names.split_last() {
        None => "no author".into(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_core::integration::registry;

    #[test]
    fn every_source_of_a_scheme_has_a_page_with_a_title() {
        let cited = registry::SCHEMES.iter().flat_map(|row| row.info.citations);
        for key in cited {
            assert!(page(key).is_some(), "docs/references.bib lacks {key}");
        }
        for key in keys() {
            let entry = SOURCES.get(key).unwrap();
            assert!(entry.title().is_ok() && !authors(entry).is_empty(), "{key}");
        }
    }
}
