//! Exact motions of rigid bodies for C and C++. `include/topsim.h` is the documentation for users; a test compares its
//! declarations with the functions here.
//!
//! Each function checks its pointers, catches what panics, and writes nothing where it fails.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::reference::{FreeBody, LagrangeTop, RefError, ReferenceError};

/// All is written.
const DONE: c_int = 0;
/// The numbers are refused; nothing is written.
const REFUSED: c_int = 1;
/// topsim failed; nothing is written.
const FAILED: c_int = 2;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a version has no zero byte"),
    };

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// An attitude, row by row, and a rate, at one time.
type State = [f64; 12];
/// What a closed form gives at one time.
type Exact = ((Mat3, Vec3), RefError);

fn done_or(outcome: std::thread::Result<Result<(), String>>) -> c_int {
    let (status, text) = match outcome {
        Ok(Ok(())) => (DONE, String::new()),
        Ok(Err(text)) => (REFUSED, text),
        Err(_) => (FAILED, "topsim failed; please report it".into()),
    };
    // Our messages have no zero byte.
    ERROR.set(CString::new(text).unwrap_or_default());
    status
}

/// What stands behind a pointer, or a message.
///
/// # Safety
/// The pointer is null or leads to a `T`.
unsafe fn given<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, String> {
    // SAFETY: as for this function.
    unsafe { pointer.as_ref() }.ok_or_else(|| format!("{name} is a null pointer"))
}

/// Where the motion goes.
struct Places<'a> {
    times: &'a [f64],
    states: &'a mut [State],
    errors: &'a mut [[f64; 2]],
}

impl<'a> Places<'a> {
    /// # Safety
    /// The pointers are null or lead to `count` elements that nobody else touches meanwhile.
    unsafe fn behind(
        count: usize,
        times: *const f64,
        states: *mut State,
        errors: *mut [f64; 2],
    ) -> Result<Self, String> {
        if count > isize::MAX as usize / size_of::<State>() {
            return Err(format!("count is {count}, more than memory has"));
        }
        let wanted = |null, name| match null && count > 0 {
            true => Err(format!("{name} is a null pointer")),
            false => Ok(()),
        };
        wanted(times.is_null(), "times")?;
        wanted(states.is_null(), "states")?;
        if count == 0 {
            return Ok(Self {
                times: &[],
                states: &mut [],
                errors: &mut [],
            });
        }
        // SAFETY: not null, and as for this function.
        let times = unsafe { from_raw_parts(times, count) };
        // SAFETY: the same.
        let states = unsafe { from_raw_parts_mut(states, count) };
        let errors: &mut [_] = match errors.is_null() {
            true => &mut [],
            // SAFETY: the same.
            false => unsafe { from_raw_parts_mut(errors, count) },
        };
        if let Some(t) = times.iter().find(|t| !t.is_finite()) {
            return Err(format!("times has {t}; allowed: finite times"));
        }
        Ok(Self {
            times,
            states,
            errors,
        })
    }

    fn fill(self, motion: Result<impl Fn(f64) -> Exact, ReferenceError>) -> Result<(), String> {
        let motion = motion.map_err(|e| e.to_string())?;
        // Computed before anything is written.
        let all: Vec<Exact> = self.times.iter().map(|t| motion(*t)).collect();
        for (place, ((att, rate), _)) in self.states.iter_mut().zip(&all) {
            *place = std::array::from_fn(|k| match k {
                0..9 => att[(k / 3, k % 3)],
                _ => rate[k - 9],
            });
        }
        for (place, (_, error)) in self.errors.iter_mut().zip(&all) {
            *place = [error.attitude, error.rate];
        }
        Ok(())
    }
}

/// The free body.
///
/// # Safety
/// Pointers are null or lead to as many numbers as their types and `count` say; `states` and `errors` overlap nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn topsim_free_body(
    inertia: *const [f64; 9],
    attitude: *const [f64; 9],
    rate: *const [f64; 3],
    count: usize,
    times: *const f64,
    states: *mut [f64; 12],
    errors: *mut [f64; 2],
) -> c_int {
    done_or(catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as for this function.
        let places = unsafe { Places::behind(count, times, states, errors) }?;
        // SAFETY: as for this function.
        let [inertia, attitude] =
            unsafe { [given(inertia, "inertia")?, given(attitude, "attitude")?] };
        // SAFETY: as for this function.
        let rate = unsafe { given(rate, "rate") }?;
        let motion = FreeBody::new(&matrix(inertia), &matrix(attitude), &(*rate).into());
        places.fill(motion.map(|m| move |t| (m.at(t), m.error(t))))
    })))
}

/// The symmetric top under gravity.
///
/// # Safety
/// As [`topsim_free_body`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn topsim_lagrange_top(
    inertia: *const [f64; 9],
    weight: f64,
    lever: *const [f64; 3],
    up: *const [f64; 3],
    attitude: *const [f64; 9],
    rate: *const [f64; 3],
    count: usize,
    times: *const f64,
    states: *mut [f64; 12],
    errors: *mut [f64; 2],
) -> c_int {
    done_or(catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as for this function.
        let places = unsafe { Places::behind(count, times, states, errors) }?;
        // SAFETY: as for this function.
        let [inertia, attitude] =
            unsafe { [given(inertia, "inertia")?, given(attitude, "attitude")?] };
        // SAFETY: as for this function.
        let [lever, up, rate] = unsafe {
            [
                given(lever, "lever")?,
                given(up, "up")?,
                given(rate, "rate")?,
            ]
        };
        let motion = LagrangeTop::new(
            &matrix(inertia),
            weight,
            &(*lever).into(),
            &(*up).into(),
            &matrix(attitude),
            &(*rate).into(),
        );
        places.fill(motion.map(|m| move |t| (m.at(t), m.error(t))))
    })))
}

/// What the last call of this thread that could fail said; empty where it did not fail.
#[unsafe(no_mangle)]
pub extern "C" fn topsim_error() -> *const c_char {
    ERROR.with_borrow(|text| text.as_ptr())
}

/// The version of topsim.
#[unsafe(no_mangle)]
pub extern "C" fn topsim_version() -> *const c_char {
    VERSION.as_ptr()
}

fn matrix(rows: &[f64; 9]) -> Mat3 {
    Mat3::from_row_slice(rows)
}
