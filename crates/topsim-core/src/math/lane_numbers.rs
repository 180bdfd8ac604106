//! Values as rows of numbers, so that several of them can stand side by side.

/// A value made of numbers, of which each may stand in a lane.
pub trait LaneNumbers {
    /// True for a memory from which the attitude follows, so that no step reads that of the state.
    const HAS_ATTITUDE: bool = false;
    /// Calls `f` with each number that a step changes, always in the same order.
    fn each(&mut self, f: &mut impl FnMut(&mut f64));
    /// Calls `f` with each number that stays, always in the same order.
    #[inline(always)]
    fn each_constant(&mut self, _: &mut impl FnMut(&mut f64)) {}
}

/// Implements [`LaneNumbers`] by the fields that a step changes.
macro_rules! lane_numbers {
    ($($type:ty { $($field:tt),* $(; HAS_ATTITUDE = $attitude:literal)? })*) => {$(
        impl $crate::math::LaneNumbers for $type {
            $(const HAS_ATTITUDE: bool = $attitude;)?
            #[inline(always)]
            #[allow(unused_variables)]
            fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
                $(self.$field.each(f);)*
            }
        }
    )*};
}
pub(crate) use lane_numbers;

impl LaneNumbers for f64 {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        f(self);
    }
}

impl LaneNumbers for bool {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        let mut number = f64::from(*self);
        f(&mut number);
        *self = number != 0.0;
    }
}

impl<const N: usize> LaneNumbers for [f64; N] {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        for x in self {
            f(x);
        }
    }
}

impl LaneNumbers for super::Vec3 {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        self.data.0[0].each(f);
    }
}

impl LaneNumbers for super::Mat3 {
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        for column in &mut self.data.0 {
            column.each(f);
        }
    }
}

impl LaneNumbers for () {
    #[inline(always)]
    fn each(&mut self, _: &mut impl FnMut(&mut f64)) {}
}

impl<A: LaneNumbers, B: LaneNumbers> LaneNumbers for (A, B) {
    const HAS_ATTITUDE: bool = A::HAS_ATTITUDE || B::HAS_ATTITUDE;
    #[inline(always)]
    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        self.0.each(f);
        self.1.each(f);
    }
}
