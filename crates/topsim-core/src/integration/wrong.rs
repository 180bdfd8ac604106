//! Wrong schemes bound here, so that their steps are compiled once, with those of the catalogue.

use super::experiment::{Experiment, Refusal, bind};
use crate::models::Model;
use crate::schemes::wrong::{Twin, WrongLaw};

impl Twin {
    /// Binds it to a body.
    ///
    /// # Errors
    /// Fails as [`bind`] does.
    pub fn bind(self, model: &Model) -> Result<Experiment, Refusal> {
        bind(self, model)
    }
}

impl WrongLaw {
    /// Binds it to a body.
    ///
    /// # Errors
    /// Fails as [`bind`] does.
    pub fn bind(self, model: &Model) -> Result<Experiment, Refusal> {
        bind(self, model)
    }
}
