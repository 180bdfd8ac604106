//! Every scheme says where it comes from.

use crate::support::repository_text;
use topsim_core::integration::registry::SCHEMES;

#[test]
fn names_are_unique_and_every_source_is_in_the_bibliography() {
    let bibliography = repository_text("docs/references.bib");
    for (i, row) in SCHEMES.iter().enumerate() {
        let name = row.info.name;
        assert!(SCHEMES[..i].iter().all(|r| r.info.name != name), "{name}");
        assert!(!row.info.citations.is_empty(), "{name}");
        let said = row.info.literature.iter().map(|s| &s.by);
        for key in row.info.citations.iter().chain(said) {
            let entry = format!("{{{key},");
            assert_eq!(bibliography.matches(&entry).count(), 1, "{name}: {key}");
        }
    }
}
