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
    /// True for emphasis.
    pub strong: bool,
    /// True for code, such as a name.
    pub code: bool,
    /// Address to which it leads.
    pub link: Option<String>,
}

/// A text within a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// The parts, from left to right.
    pub spans: Vec<Span>,
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

    /// Returns the characters alone.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    fn of(text: &str, role: Role) -> Self {
        let span = Span {
            text: clean(text, ' '),
            role,
            ..Span::default()
        };
        Self { spans: vec![span] }
    }
}

impl<T: AsRef<str>> From<T> for Text {
    fn from(text: T) -> Self {
        Self::of(text.as_ref(), Role::Plain)
    }
}

/// Replaces the characters that a terminal obeys, and the ends of lines by `end`.
pub(crate) fn clean(text: &str, end: char) -> String {
    let character = |c| if c == '\n' { end } else { harmless(c) };
    text.chars().map(character).collect()
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
    out.spans[0].link = Some(clean(address, ' '));
    out
}

/// Returns a sentence in which what stands between two backticks is code.
pub fn marked(sentence: &str) -> Text {
    let (mut out, mut rest) = (Text::default(), sentence);
    while let Some((before, tail)) = rest.split_once('`')
        && let Some((name, after)) = tail.split_once('`')
    {
        out = out.then(before).then(code(name));
        rest = after;
    }
    out.then(rest)
}
