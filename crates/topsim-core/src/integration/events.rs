//! Events between steps: crossings of a level and turning points of a column, located on the
//! polynomial through the six steps around them (error O(h⁶), far below any scheme here).

/// Kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "EventKindName")
)]
pub enum EventKind {
    /// The column rises through the level.
    Up,
    /// The column falls through the level.
    Down,
    /// Either.
    Cross,
    /// A local minimum of the column.
    Minimum,
    /// A local maximum of the column.
    Maximum,
}

/// An event to look for.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSpec {
    /// Its name, for checks.
    pub name: String,
    /// Index of the column.
    pub column: usize,
    /// Level, for crossings.
    pub level: f64,
    /// Kind.
    pub kind: EventKind,
}

/// An event that happened.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Event {
    /// Which spec, by index.
    pub spec: usize,
    /// Time of the event, s.
    pub time: f64,
    /// All columns at that time.
    pub values: Vec<f64>,
}

/// Largest number of events of one run that are kept; further ones are only counted.
pub const MOST_EVENTS: usize = 20_000;
/// Points of the interpolating polynomial.
const POINTS: usize = 6;

/// Watches a run for events; memory is six rows and the events kept.
pub(super) struct Watcher<'a> {
    specs: &'a [EventSpec],
    width: usize,
    /// The last rows, oldest first.
    rows: Vec<f64>,
    times: Vec<f64>,
    /// Brackets found whose right-hand neighbours have not been seen yet: (spec, index of the
    /// point left of the event within the window).
    pending: Vec<(usize, usize)>,
    pub events: Vec<Event>,
    pub dropped: u64,
}

impl<'a> Watcher<'a> {
    pub fn new(specs: &'a [EventSpec], width: usize) -> Self {
        Self {
            specs,
            width,
            rows: Vec::with_capacity(POINTS * width),
            times: Vec::with_capacity(POINTS),
            pending: Vec::new(),
            events: Vec::new(),
            dropped: 0,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.specs.is_empty()
    }

    fn value(&self, point: usize, column: usize) -> f64 {
        self.rows[point * self.width + column]
    }

    /// Takes the row of the next step.
    pub fn push(&mut self, t: f64, row: &[f64]) {
        if self.times.len() == POINTS {
            self.times.remove(0);
            self.rows.drain(..self.width);
            for p in &mut self.pending {
                p.1 -= 1;
            }
        }
        self.times.push(t);
        self.rows.extend_from_slice(row);
        self.detect();
        self.settle(false);
    }

    /// The run is over: what is pending is located with the points there are.
    pub fn finish(&mut self) {
        self.settle(true);
        // Two kinds of event may be met in one step.
        self.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    }

    fn detect(&mut self) {
        let n = self.times.len();
        for (s, spec) in self.specs.iter().enumerate() {
            let g = |point: usize| self.value(point, spec.column) - spec.level;
            let found = match spec.kind {
                EventKind::Up | EventKind::Down | EventKind::Cross if n >= 2 => {
                    // Half-open, so that a step that lands on the level counts once.
                    let (a, b) = (g(n - 2), g(n - 1));
                    let up = a < 0.0 && b >= 0.0;
                    let down = a > 0.0 && b <= 0.0;
                    let hit = match spec.kind {
                        EventKind::Up => up,
                        EventKind::Down => down,
                        _ => up || down,
                    };
                    hit.then_some(n - 2)
                }
                EventKind::Minimum if n >= 3 => {
                    let (a, b, c) = (g(n - 3), g(n - 2), g(n - 1));
                    (a > b && b <= c).then_some(n - 2)
                }
                EventKind::Maximum if n >= 3 => {
                    let (a, b, c) = (g(n - 3), g(n - 2), g(n - 1));
                    (a < b && b >= c).then_some(n - 2)
                }
                _ => None,
            };
            if let Some(left) = found {
                self.pending.push((s, left));
            }
        }
    }

    fn settle(&mut self, all: bool) {
        let n = self.times.len();
        while let Some(&(spec, left)) = self.pending.first() {
            // An event is ready once its bracket is in the middle of the window.
            if !(all || (n == POINTS && left + POINTS / 2 < n)) {
                break;
            }
            self.pending.remove(0);
            if self.events.len() == MOST_EVENTS {
                self.dropped += 1;
                continue;
            }
            let event = self.locate(spec, left);
            self.events.push(event);
        }
    }

    fn locate(&self, s: usize, left: usize) -> Event {
        let spec = &self.specs[s];
        let n = self.times.len();
        let t0 = self.times[left];
        let crossing = !matches!(spec.kind, EventKind::Minimum | EventKind::Maximum);
        // Times relative to the bracket keep the digits of late events.
        let nodes: Vec<f64> = self.times.iter().map(|t| t - t0).collect();
        let column = |c: usize| -> Vec<f64> { (0..n).map(|p| self.value(p, c)).collect() };
        let g = column(spec.column);
        let root = if crossing {
            let f = |x: f64| interpolate(&nodes, &g, x).0 - spec.level;
            bisect(f, 0.0, nodes[left + 1])
        } else {
            let f = |x: f64| interpolate(&nodes, &g, x).1;
            bisect(f, nodes[left - 1], nodes[left + 1])
        };
        Event {
            spec: s,
            time: t0 + root,
            values: (0..self.width)
                .map(|c| interpolate(&nodes, &column(c), root).0)
                .collect(),
        }
    }
}

/// Events of rows recorded at any ascending times; located on the polynomial through six rows around
/// them, so that rows must resolve the motion.
pub fn events_of<'a>(
    specs: &[EventSpec],
    width: usize,
    rows: impl Iterator<Item = (f64, &'a [f64])>,
) -> Vec<Event> {
    let mut watcher = Watcher::new(specs, width);
    for (t, row) in rows {
        watcher.push(t, row);
    }
    watcher.finish();
    watcher.events
}

/// Returns the value and derivative at `x` of the polynomial through `(nodes, values)` (Newton's form).
fn interpolate(nodes: &[f64], values: &[f64], x: f64) -> (f64, f64) {
    let n = nodes.len();
    let mut coefficients = values.to_vec();
    for k in 1..n {
        for i in (k..n).rev() {
            coefficients[i] = (coefficients[i] - coefficients[i - 1]) / (nodes[i] - nodes[i - k]);
        }
    }
    let (mut value, mut slope) = (coefficients[n - 1], 0.0);
    for i in (0..n - 1).rev() {
        slope = slope * (x - nodes[i]) + value;
        value = value * (x - nodes[i]) + coefficients[i];
    }
    (value, slope)
}

/// Returns the root of `f` between `a` and `b` by bisection to the last bit; the end with the smaller value
/// where there is no change of sign.
fn bisect(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let (fa, fb) = (f(a), f(b));
    if fa == 0.0 {
        return a;
    }
    if fb == 0.0 || !(fa * fb < 0.0) {
        return if fb.abs() <= fa.abs() { b } else { a };
    }
    for _ in 0..200 {
        let m = 0.5 * (a + b);
        if m == a || m == b {
            break;
        }
        let fm = f(m);
        if fm == 0.0 {
            return m;
        }
        if (fm < 0.0) == (fa < 0.0) {
            a = m;
        } else {
            b = m;
        }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(kind: EventKind, level: f64, h: f64, steps: usize) -> Vec<Event> {
        let specs = [EventSpec {
            name: "e".into(),
            column: 0,
            level,
            kind,
        }];
        let mut w = Watcher::new(&specs, 2);
        for n in 0..=steps {
            let t = n as f64 * h;
            w.push(t, &[libm::sin(t), libm::cos(t)]);
        }
        w.finish();
        assert_eq!(w.dropped, 0);
        w.events
    }

    #[test]
    fn crossings_of_a_sine_are_found_at_multiples_of_pi() {
        use core::f64::consts::PI;
        let down = events(EventKind::Down, 0.0, 0.05, 260);
        let times: Vec<f64> = down.iter().map(|e| e.time).collect();
        assert_eq!(times.len(), 2);
        assert!((times[0] - PI).abs() < 1e-10 && (times[1] - 3.0 * PI).abs() < 1e-10);
        assert!((down[0].values[1] + 1.0).abs() < 1e-10);
        assert_eq!(events(EventKind::Up, 0.0, 0.05, 260).len(), 2);
        assert_eq!(events(EventKind::Cross, 0.5, 0.05, 260).len(), 4);
    }

    #[test]
    fn turning_points_of_a_sine() {
        use core::f64::consts::PI;
        let top = events(EventKind::Maximum, 0.0, 0.05, 200);
        assert!((top[0].time - PI / 2.0).abs() < 1e-8, "{}", top[0].time);
        let low = events(EventKind::Minimum, 0.0, 0.05, 200);
        assert!((low[0].time - 1.5 * PI).abs() < 1e-8);
        assert!((low[0].values[0] + 1.0).abs() < 1e-10);
    }

    #[test]
    fn an_event_in_the_last_or_first_step_is_not_lost() {
        // π lies in step 62–63 of .05; only 63 steps are made.
        assert_eq!(events(EventKind::Down, 0.0, 0.05, 63).len(), 1);
        let first = events(EventKind::Up, 0.02, 0.05, 10);
        assert_eq!(first.len(), 1);
        assert!((first[0].time - libm::asin(0.02)).abs() < 1e-8);
    }

    #[test]
    fn error_falls_like_the_sixth_power() {
        let error = |h: f64| {
            (events(EventKind::Down, 0.3, h, 100)[0].time
                - (core::f64::consts::PI - libm::asin(0.3)))
            .abs()
        };
        let ratio = error(0.2) / error(0.1);
        assert!(ratio > 30.0, "{ratio}");
    }
}
