//! Many starts in few lanes: a lane whose trajectory has ended takes the next start.

use super::plan::EscapeConstants;
use super::step::{TopLanes, advance, begin, turn_over};
use super::{EscapeError, EscapeProblem, Width};
use topsim_core::math::lanes::Lanes;
use topsim_core::models::levitron::{AxialField, FieldVisitor};

/// Approximate number of steps of all lanes together between two calls of `poll`: a step in the field of thousands of dipoles takes
/// a hundred thousand times that of one.
const POLL: u64 = 20_000;

/// Computes the steps after which each start has escaped, −1 for those that survive all N, and returns
/// the number of steps made. `poll` gets the steps made since its last call, and returns whether to go
/// on.
///
/// # Errors
/// [`EscapeError`]: a number out of range, a width the processor lacks, or a stop asked by `poll`
/// (what `out` holds then is unspecified).
pub fn escape_steps(
    problem: &EscapeProblem,
    starts: &[[f64; 3]],
    width: Width,
    out: &mut [i32],
    poll: &dyn Fn(u64) -> bool,
) -> Result<u64, EscapeError> {
    let plan = EscapeConstants::new(problem)?;
    if starts.len() != out.len() {
        return Err(EscapeError::Length {
            starts: starts.len(),
            results: out.len(),
        });
    }
    if let Some(index) = starts.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(EscapeError::Start {
            index,
            point: starts[index],
        });
    }
    if !width.is_available() {
        return Err(EscapeError::Width(width));
    }
    problem.levitron.field().open(Batch {
        plan: &plan,
        starts,
        width,
        out,
        poll,
    })
}

/// Arguments of [`escape_steps`] until the type of the field is known.
struct Batch<'a> {
    plan: &'a EscapeConstants,
    starts: &'a [[f64; 3]],
    width: Width,
    out: &'a mut [i32],
    poll: &'a dyn Fn(u64) -> bool,
}

impl FieldVisitor for Batch<'_> {
    type Out = Result<u64, EscapeError>;

    fn visit<F: AxialField>(self, field: &F) -> Self::Out {
        if self.plan.quick {
            self.dispatch::<F, true>(field)
        } else {
            self.dispatch::<F, false>(field)
        }
    }
}

/// [`Batch::run`] where the compiler may use the vector instructions. Not a closure: the shim
/// through which a closure is called is not inlined there.
#[cfg(target_arch = "x86_64")]
struct VectorRun<'a, 'b, V, F, const QUICK: bool>(Batch<'a>, &'b F, V);

#[cfg(target_arch = "x86_64")]
impl<V: Lanes, F: AxialField, const QUICK: bool> pulp::NullaryFnOnce
    for VectorRun<'_, '_, V, F, QUICK>
{
    type Output = Result<u64, EscapeError>;

    #[inline(always)]
    fn call(self) -> Self::Output {
        let Self(batch, field, like) = self;
        batch.run::<V, F, QUICK>(like, field)
    }
}

impl Batch<'_> {
    #[cfg(target_arch = "x86_64")]
    fn dispatch<F: AxialField, const QUICK: bool>(self, field: &F) -> Result<u64, EscapeError> {
        use crate::lanes_x86::{F64x4, F64x8};
        use pulp::x86::{V3, V4};
        use topsim_core::math::lanes::VectorBundle;
        // The number of vectors side by side was measured for AVX2 (1, 2, 3, 4, 6 of them: 98, 117, 125, 131
        // and 127 million steps per second); with twice as many registers for AVX-512 two suffice.
        match (self.width, V3::try_new(), V4::try_new()) {
            (Width::Avx512, _, Some(simd)) => {
                let like = VectorBundle([F64x8::new(simd, 0.0); 2]);
                simd.vectorize(VectorRun::<_, F, QUICK>(self, field, like))
            }
            (Width::Avx2, Some(simd), _) => {
                let like = VectorBundle([F64x4::new(simd, 0.0); 4]);
                simd.vectorize(VectorRun::<_, F, QUICK>(self, field, like))
            }
            // This computes one number at a time, but with the processor's fused multiply–add.
            (_, Some(simd), _) => simd.vectorize(VectorRun::<_, F, QUICK>(self, field, 0.0)),
            _ => self.run::<f64, F, QUICK>(0.0, field),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn dispatch<F: AxialField, const QUICK: bool>(self, field: &F) -> Result<u64, EscapeError> {
        self.run::<f64, F, QUICK>(0.0, field)
    }

    /// Computes all starts in lanes of the type of `like`.
    #[inline(always)]
    fn run<V: Lanes, F: AxialField, const QUICK: bool>(
        self,
        like: V,
        field: &F,
    ) -> Result<u64, EscapeError> {
        let plan = self.plan;
        let length = u64::from(plan.steps);
        // Idle lanes hold the state at the centre, and are not read.
        let mut y = TopLanes::splat(like, &begin(plan.centre, plan, field));
        // The start of each lane, and the step at which it began.
        let mut who = [0_usize; 64];
        let mut since = [0_u64; 64];
        let (mut next, mut live) = (0, 0_u64);
        for (i, who) in who.iter_mut().enumerate().take(V::LANES) {
            if next < self.starts.len() {
                y.set_lane(i, &begin(self.starts[next], plan, field));
                *who = next;
                live |= 1 << i;
                next += 1;
            }
        }
        let mut now = 0_u64;
        let (mut made, mut told) = (0_u64, 0_u64);
        while live != 0 {
            // The next interruption is a lane that has made all its steps, or the poll.
            let pause = (POLL - (made - told)) / u64::from(live.count_ones());
            let mut stop = now + pause.max(1);
            for (i, since) in since.iter().enumerate().take(V::LANES) {
                if live >> i & 1 == 1 {
                    stop = stop.min(since + length);
                }
            }
            let begun = now;
            let out = loop {
                advance::<V, F, QUICK>(&mut y, plan, field);
                now += 1;
                let out = y.outside::<QUICK>(plan) & live;
                turn_over::<V, F, QUICK>(&mut y, plan, field);
                if out != 0 || now == stop {
                    break out;
                }
            };
            made += (now - begun) * u64::from(live.count_ones());
            for i in 0..V::LANES {
                let (escaped, ended) = (out >> i & 1 == 1, now - since[i] == length);
                if live >> i & 1 == 0 || !(escaped || ended) {
                    continue;
                }
                self.out[who[i]] = if escaped { (now - since[i]) as i32 } else { -1 };
                if next < self.starts.len() {
                    y.set_lane(i, &begin(self.starts[next], plan, field));
                    (who[i], since[i]) = (next, now);
                    next += 1;
                } else {
                    live &= !(1 << i);
                }
            }
            // Polls within one step of all lanes.
            if made - told + u64::from(live.count_ones()) > POLL || live == 0 {
                if !(self.poll)(made - told) {
                    return Err(EscapeError::Stopped(made));
                }
                told = made;
            }
        }
        Ok(made)
    }
}
