//! Units and frames written beside the names of columns: `W1 [deg/s]`, `wx (rad/s, body)`, `t [ms]`.

use super::header::{Header, shown};
use super::reading::{AttitudeKind, RateFrame, Reading};
use super::rows::HistoryError;
use topsim_model::report::DEGREE;

/// A column's name with what stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnTitle {
    /// The title as it is written.
    pub written: String,
    /// The name alone.
    pub base: String,
    /// Words in the brackets, in order.
    pub words: Vec<String>,
}

/// What kind of quantity a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Time,
    Number,
    Angle,
    Rate,
    Length,
    Energy,
}

/// A unit and what one of it is in SI units.
type Unit = (&'static str, f64);

impl Kind {
    fn units(self) -> &'static [Unit] {
        match self {
            Self::Time => &[
                ("s", 1.0),
                ("ms", 1e-3),
                ("us", 1e-6),
                ("µs", 1e-6),
                ("min", 60.0),
            ],
            Self::Number => &[("1", 1.0), ("-", 1.0)],
            Self::Angle => &[("rad", 1.0), ("deg", DEGREE), ("°", DEGREE)],
            Self::Rate => &[
                ("rad/s", 1.0),
                ("deg/s", DEGREE),
                ("°/s", DEGREE),
                ("rpm", 6.0 * DEGREE),
            ],
            Self::Length => &[("m", 1.0), ("mm", 1e-3), ("cm", 1e-2), ("km", 1e3)],
            Self::Energy => &[("J", 1.0), ("mJ", 1e-3), ("kJ", 1e3)],
        }
    }

    /// Names of the units, for people.
    pub fn allowed(self) -> String {
        let names: Vec<String> = self.units().iter().map(|u| format!("`{}`", u.0)).collect();
        names.join(", ")
    }

    /// What one of the unit is in SI units.
    pub fn factor(self, unit: &str) -> Option<f64> {
        self.units().iter().find(|u| u.0 == unit).map(|u| u.1)
    }
}

impl ColumnTitle {
    pub fn new(text: &str) -> Self {
        let text = text.trim();
        for (open, close) in [('[', ']'), ('(', ')')] {
            let Some((base, rest)) = text.strip_suffix(close).and_then(|t| t.split_once(open))
            else {
                continue;
            };
            let words = rest.split([',', ';']).map(|w| w.trim().to_string());
            return Self {
                written: text.into(),
                base: base.trim().into(),
                words: words.filter(|w| !w.is_empty()).collect(),
            };
        }
        Self {
            written: text.into(),
            base: text.into(),
            words: Vec::new(),
        }
    }

    /// The unit's factor and the frame, where they are told.
    ///
    /// # Errors
    /// The word that is neither.
    pub fn read(&self, kind: Kind) -> Result<(Option<f64>, Option<RateFrame>), &str> {
        let (mut unit, mut frame) = (None, None);
        for word in &self.words {
            let f = match word.as_str() {
                "body" if kind == Kind::Rate => Some(RateFrame::Body),
                "space" | "world" if kind == Kind::Rate => Some(RateFrame::Space),
                _ => None,
            };
            match (kind.factor(word), f) {
                (Some(x), _) if unit.is_none() => unit = Some(x),
                (None, Some(f)) if frame.is_none() => frame = Some(f),
                _ => return Err(word),
            }
        }
        Ok((unit, frame))
    }
}

/// Units of the columns that are used.
pub(super) struct Units<'a> {
    pub factors: Vec<f64>,
    header: &'a Header,
}

impl<'a> Units<'a> {
    pub fn new(header: &'a Header) -> Self {
        let factors = vec![1.0; header.titles.len()];
        Self { factors, header }
    }

    /// Takes the units of some columns; returns the frame they name.
    pub fn set(
        &mut self,
        columns: &[usize],
        kind: Kind,
    ) -> Result<Option<RateFrame>, HistoryError> {
        let mut told = None;
        for (k, &c) in columns.iter().enumerate() {
            let (factor, frame) = self.header.titles[c].read(kind).map_err(|word| {
                let frames = if kind == Kind::Rate {
                    "; and the frame, `body` or `space`"
                } else {
                    ""
                };
                self.header.wrong(
                    Some(c),
                    format!("`{}` beside its name", shown(word)),
                    &format!("a unit: {}{frames}", kind.allowed()),
                )
            })?;
            if k > 0 && (told, self.factors[columns[0]]) != (frame, factor.unwrap_or(1.0)) {
                return Err(self.header.wrong(
                    Some(c),
                    "another unit or frame than the column before it has".into(),
                    "one for all components of a vector",
                ));
            }
            told = frame;
            self.factors[c] = factor.unwrap_or(1.0);
        }
        Ok(told)
    }

    /// Euler angles have their unit by `--euler`; the header may repeat it.
    pub fn attitude(
        &mut self,
        (kind, columns): &(AttitudeKind, Vec<usize>),
        reading: &Reading,
    ) -> Result<(), HistoryError> {
        let kind = match kind {
            AttitudeKind::Euler(_) => Kind::Angle,
            _ => Kind::Number,
        };
        self.set(columns, kind)?;
        if let (Kind::Angle, Some(e)) = (kind, reading.euler) {
            for &c in columns {
                if !self.header.titles[c].words.is_empty() && self.factors[c] != e.unit {
                    return Err(self.header.wrong(
                        Some(c),
                        format!("another unit than the {} of `--euler`", e.unit()),
                        "the same unit",
                    ));
                }
                self.factors[c] = 1.0;
            }
        }
        Ok(())
    }

    pub fn rate(
        &mut self,
        reading: &Reading,
    ) -> Result<Option<(RateFrame, [usize; 3])>, HistoryError> {
        let body = self.header.three(["W1", "W2", "W3"])?;
        let space = self.header.three(["omega_x", "omega_y", "omega_z"])?;
        let plain = self.header.three(["wx", "wy", "wz"])?;
        let (frame, columns) = match (body, space, plain) {
            // One is enough; a history of topsim's own has both.
            (Some(c), ..) => (Some(RateFrame::Body), c),
            (None, Some(c), _) => (Some(RateFrame::Space), c),
            (None, None, Some(c)) => (None, c),
            (None, None, None) => return Ok(None),
        };
        let told = self.set(&columns, Kind::Rate)?;
        if self.header.titles[columns[0]].words.is_empty()
            && let Some(unit) = reading.rate_unit
        {
            columns.iter().for_each(|c| self.factors[*c] = unit.0);
        }
        let frame = match (frame, told, reading.rate_frame) {
            (Some(a), Some(b), _) if a != b => {
                return Err(self.header.wrong(
                    Some(columns[0]),
                    format!("`{b}` beside a name of the {a} frame"),
                    "`W1 W2 W3` in the body frame, `omega_x omega_y omega_z` in the space frame, `wx wy wz` in either",
                ));
            }
            (Some(f), ..) | (None, Some(f), _) | (None, None, Some(f)) => f,
            (None, None, None) => {
                return Err(self.header.wrong(
                    Some(columns[0]),
                    "a rate whose frame is unknown".into(),
                    "`--rate-frame body` or `--rate-frame space`, or the frame in the header, such as \
                     `wx [rad/s, body]`",
                ));
            }
        };
        Ok(Some((frame, columns)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_frames_are_read() {
        let read = |text: &str, kind| {
            let n = ColumnTitle::new(text);
            (n.base.clone(), n.read(kind).map_err(String::from))
        };
        assert_eq!(
            read("W1 [deg/s]", Kind::Rate),
            ("W1".into(), Ok((Some(DEGREE), None)))
        );
        assert_eq!(
            read("wx (rad/s, space)", Kind::Rate),
            ("wx".into(), Ok((Some(1.0), Some(RateFrame::Space))))
        );
        assert_eq!(
            read("t[ms]", Kind::Time),
            ("t".into(), Ok((Some(1e-3), None)))
        );
        assert_eq!(read("H", Kind::Energy), ("H".into(), Ok((None, None))));
        assert_eq!(read("W1 [furlong]", Kind::Rate).1, Err("furlong".into()));
        assert_eq!(read("x [body]", Kind::Length).1, Err("body".into()));
        assert_eq!(read("t [s, s]", Kind::Time).1, Err("s".into()));
    }
}
