//! Text with emphasis, code, links and roles.

use strict_toml::harmless;

/// The role of a text: a terminal has a colour for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Role {
    /// Prose.
    #[default]
    Plain,
    /// Success.
    Good,
    /// A matter that a reader has to know.
    Caution,
    /// Failure.
    Bad,
}

/// A part of a text that looks alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// The characters, none of which a terminal obeys.
    pub text: String,
    /// The role of the text.
    pub role: Role,
    /// Whether it is emphasised.
    pub strong: bool,
    /// Whether it is code, such as a name.
    pub code: bool,
    /// The address to which it leads.
    pub link: Option<String>,
}

/// A text within a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub(crate) spans: Vec<Span>,
}

impl Text {
    /// Returns the text with another behind it.
    #[must_use]
    pub fn then(mut self, other: impl Into<Self>) -> Self {
        self.spans.extend(other.into().spans);
        self
    }

    /// Returns the text with emphasis.
    #[must_use]
    pub fn strong(mut self) -> Self {
        self.spans.iter_mut().for_each(|span| span.strong = true);
        self
    }

    /// Returns the spans of the text.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Returns the characters alone.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    fn of(text: &str, role: Role) -> Self {
        let space = |c| if c == '\n' { ' ' } else { harmless(c) };
        let span = Span {
            text: text.chars().map(space).collect(),
            role,
            ..Span::default()
        };
        Self { spans: vec![span] }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::of(text, Role::Plain)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::of(&text, Role::Plain)
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self::of(text, Role::Plain)
    }
}

/// Returns an emphasised text.
pub fn strong(text: impl Into<Text>) -> Text {
    text.into().strong()
}

/// Returns a text about success.
pub fn good(text: &str) -> Text {
    Text::of(text, Role::Good)
}

/// Returns a text that a reader has to know.
pub fn caution(text: &str) -> Text {
    Text::of(text, Role::Caution)
}

/// Returns a text about failure.
pub fn bad(text: &str) -> Text {
    Text::of(text, Role::Bad)
}

/// Returns a text that is code.
pub fn code(text: &str) -> Text {
    let mut out = Text::from(text);
    out.spans[0].code = true;
    out
}

/// Returns a text that leads to an address.
pub fn link(text: &str, address: &str) -> Text {
    let mut out = Text::from(text);
    out.spans[0].link = Some(address.chars().map(harmless).collect());
    out
}

/// Returns a sentence in which what stands between two backticks is code.
pub fn marked(sentence: &str) -> Text {
    let mut rest = sentence;
    let mut out = Text::default();
    while let Some((before, (name, after))) = rest
        .split_once('`')
        .and_then(|(before, tail)| Some((before, tail.split_once('`')?)))
    {
        if !before.is_empty() {
            out = out.then(before);
        }
        out = out.then(code(name));
        rest = after;
    }
    if !rest.is_empty() {
        out = out.then(rest);
    }
    out
}
