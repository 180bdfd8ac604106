//! What the crate promises to those who use it, in one binary.

mod clock;
mod diagnosis;
mod function;
mod given_rate;
mod judging_set;
mod only_step;
mod parts;
mod protocol;
mod show;
mod single;
mod slender;
mod tolerances;
mod trial;
mod unusual;
