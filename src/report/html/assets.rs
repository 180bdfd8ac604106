//! The script and the style of the page, each as one text.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// uPlot 1.6.32 (MIT), as published on the npm registry: its script and its style.
const UPLOT: [&str; 2] = [
    include_str!("assets/uplot/uPlot.iife.min.js"),
    include_str!("assets/uplot/uPlot.min.css"),
];
/// The licence of uPlot, which the script of the page quotes.
const LICENSE: &str = include_str!("assets/uplot/LICENSE");

/// The parts of topsim's own script, each after those that it needs.
const PARTS: [&str; 11] = [
    include_str!("assets/bytes.js"),
    include_str!("assets/rotation.js"),
    include_str!("assets/motion.js"),
    include_str!("assets/shape.js"),
    include_str!("assets/scene.js"),
    include_str!("assets/plot.js"),
    include_str!("assets/panels.js"),
    include_str!("assets/stage.js"),
    include_str!("assets/map.js"),
    include_str!("assets/drop.js"),
    include_str!("assets/page.js"),
];

/// The whole script of the page.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let own = PARTS.concat();
    format!(
        "/*\nuPlot 1.6.32\n{LICENSE}*/\n{}\n(() => {{\n\"use strict\";\n{own}}})();\n",
        UPLOT[0]
    )
});

/// The whole style of the page.
pub(super) static STYLE: LazyLock<String> =
    LazyLock::new(|| format!("{}\n{}", UPLOT[1], include_str!("assets/page.css")));

/// Content security policy of the page: a browser may run this script and use this style, and loads nothing else.
pub(super) static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&SCRIPT),
        hash(&STYLE)
    )
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::hex;

    #[test]
    fn uplot_is_as_published() {
        let hashes = UPLOT.map(|text| hex(&Sha256::digest(text.as_bytes())));
        assert_eq!(
            hashes,
            [
                "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
                "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04"
            ]
        );
        assert!(LICENSE.contains("The MIT License") && LICENSE.contains("Leon Sorokin"));
    }

    #[test]
    fn the_script_neither_ends_its_element_nor_reaches_out() {
        for text in [&*SCRIPT, &*STYLE] {
            let lower = text.to_lowercase();
            assert!(
                !lower.contains("</script")
                    && !lower.contains("</style")
                    && !lower.contains("<!--")
            );
            for word in [
                "fetch(",
                "xmlhttprequest",
                "websocket",
                "@import",
                "url(",
                "innerhtml",
                "eval(",
            ] {
                assert!(!lower.contains(word), "{word}");
            }
        }
    }
}
