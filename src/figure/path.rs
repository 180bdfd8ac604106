//! A path between its samples: cubic curves that have the samples' places and velocities.

use super::{DrawnRun, View};
use topsim_core::integration::Run;
use topsim_core::math::Vec3;
use topsim_plot::surface::Curve;

/// Returns the path of each run; its drawing has a dot where it starts.
pub(super) fn curves(
    view: &View,
    points: impl Fn(&Run) -> Vec<[f64; 3]>,
) -> impl Iterator<Item = Curve> {
    view.runs
        .iter()
        .map(move |DrawnRun { label, run, .. }| Curve {
            label: format!("{label} (dot: start)"),
            points: points(run),
            guide: false,
        })
}

/// A sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub at: Vec3,
    /// Its velocity; from the samples beside it where it is not known.
    pub rate: Option<Vec3>,
}

/// Points between two samples.
const PARTS: u32 = 8;
/// A velocity that leads farther than this from one sample to the next, in distances of the path from the origin: cubic
/// curves do not follow it, and the path is broken there.
const FAR: f64 = 1.3;

/// Returns points along the path; `onto` brings those between samples to the surface.
pub(super) fn smooth(
    times: &[f64],
    node: impl Fn(usize) -> Node,
    onto: impl Fn(Vec3) -> Vec3,
) -> Vec<[f64; 3]> {
    let nodes: Vec<Node> = (0..times.len()).map(node).collect();
    let rate = |k: usize| {
        nodes[k].rate.unwrap_or_else(|| {
            let (before, after) = (k.saturating_sub(1), (k + 1).min(nodes.len() - 1));
            (nodes[after].at - nodes[before].at) / (times[after] - times[before])
        })
    };
    let mut out: Vec<[f64; 3]> = Vec::new();
    for k in 0..nodes.len() {
        out.push(nodes[k].at.into());
        let Some(next) = nodes.get(k + 1) else { break };
        let h = times[k + 1] - times[k];
        let (a, b) = (nodes[k].at, next.at);
        let (u, v) = (rate(k) * h, rate(k + 1) * h);
        if !(u.norm().max(v.norm()) <= FAR * a.norm().max(b.norm())) {
            out.push([f64::NAN; 3]);
            continue;
        }
        out.extend((1..PARTS).map(|i| {
            let s = f64::from(i) / f64::from(PARTS);
            let r = 1.0 - s;
            let places = a * (r * r * (1.0 + 2.0 * s)) + b * (s * s * (1.0 + 2.0 * r));
            <[f64; 3]>::from(onto(places + u * (s * r * r) - v * (s * s * r)))
        }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(step: f64, known: bool) -> Vec<[f64; 3]> {
        let times: Vec<f64> = (0..8).map(|k| f64::from(k) * step).collect();
        let node = |k: usize| {
            let (s, c) = libm::sincos(times[k]);
            Node {
                at: Vec3::new(c, s, 0.0),
                rate: known.then(|| Vec3::new(-s, c, 0.0)),
            }
        };
        smooth(&times, node, |p| p.normalize())
    }

    #[test]
    fn between_samples_it_follows_the_motion() {
        let points = circle(0.75, true);
        assert_eq!(points.len(), 8 + 7 * 7);
        for (i, p) in points.iter().enumerate() {
            let (s, c) = libm::sincos(0.75 * i as f64 / 8.0);
            // The cubic's error at such a step, h⁴ / 384, is 8.2e-4.
            assert!(libm::hypot(p[0] - c, p[1] - s) < 8.3e-4, "{i}");
        }
        // Velocities from neighbours are worse, but no corners.
        assert!(circle(0.75, false).iter().all(|p| p[0].is_finite()));
        // Nothing is known of the way between samples as far apart as this.
        assert!(circle(1.5, true).iter().any(|p| p[0].is_nan()));
    }
}
