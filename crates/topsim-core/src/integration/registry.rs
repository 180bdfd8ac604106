//! The one table of schemes: each row describes a scheme and binds it to a body.

use super::experiment::{
    Experiment, Refusal, bind, bind_constrained, bind_given_rate, bind_splitting,
};
use super::parameters::Parameters;
use crate::models::{JointedBody, Model};
use crate::schemes::*;
#[cfg(feature = "schema")]
use schemars::{Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

/// Binds a scheme with its parameters to a body.
pub type BindFunction = fn(&Model, &Parameters) -> Result<Experiment, Refusal>;

/// Families of schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeFamily {
    /// Attitudes of any body.
    Rotation,
    /// Symmetric bodies, reduced or with a fixed point.
    Splitting,
    /// Bodies and their joints as constrained systems.
    Constrained,
    /// Attitudes with a given rate.
    GivenRate,
    /// Attitudes of any body, in inner steps that keep a tolerance.
    Adaptive,
}

/// Row of the table of schemes.
pub struct SchemeRow {
    /// Name, formula, claims, sources.
    pub info: SchemeInfo,
    /// Problems that it integrates.
    pub family: SchemeFamily,
    /// True if the scheme gives the torque the rate, so that it serves torques that depend on the rate.
    pub takes_rate: bool,
    /// Binds the scheme with its parameters to a body.
    pub bind: BindFunction,
    /// JSON Schema of the parameters.
    #[cfg(feature = "schema")]
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Asserts the claims of the description.
    #[cfg(test)]
    pub(crate) assert: fn(&SchemeInfo, &testbed::claims::Numbers),
}

/// Schemes are equal that have one name.
impl PartialEq for SchemeRow {
    fn eq(&self, other: &Self) -> bool {
        self.info.name == other.info.name
    }
}

impl core::fmt::Debug for SchemeRow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.info.name)
    }
}

impl SchemeRow {
    /// Returns the bodies and torques that the scheme covers, for people.
    pub fn assumptions(&self) -> &'static str {
        self.info.assumptions.unwrap_or(if self.takes_rate {
            "any inertia tensor, any torque, also one of the rate"
        } else {
            "any inertia tensor, any torque of time and attitude"
        })
    }
}

/// All schemes, in the order of the documentation.
pub static SCHEMES: &[SchemeRow] = &[
    row::<RigPos>(),
    row::<RigNeg>(),
    row::<RigImp>(),
    row::<Terze>(),
    row::<LieMidEa>(),
    row::<LieMidImp>(),
    row::<SimoWongC1>(),
    row::<Trapezoidal>(),
    row::<Akw>(),
    row::<LieNewmark>(),
    row::<NewmarkExplicit>(),
    row::<MidpointEuler>(),
    row::<Vlv>(),
    member::<Rkmk2, LieRk>(),
    member::<Rkmk3, LieRk>(),
    row::<Rkmk4>(),
    member::<Rkmk5, LieRk>(),
    row::<Rkmk4Coadjoint>(),
    member::<Cf3, LieRk>(),
    member::<Cf4, LieRk>(),
    member::<Cf3LowStorage, LieRk>(),
    member::<Cf4LowStorage, LieRk>(),
    member::<Cg2, LieRk>(),
    member::<Cg3, LieRk>(),
    member::<Cg4, LieRk>(),
    member::<Cg5, LieRk>(),
    row::<QuatRk4>(),
    member::<QuatMidpoint, QuatRk>(),
    member::<QuatHeun2, QuatRk>(),
    member::<QuatRalston2, QuatRk>(),
    member::<QuatKutta3, QuatRk>(),
    member::<QuatHeun3, QuatRk>(),
    member::<QuatRalston3, QuatRk>(),
    member::<QuatSsp3, QuatRk>(),
    member::<QuatNystrom3, QuatRk>(),
    member::<QuatRk38, QuatRk>(),
    member::<QuatGill, QuatRk>(),
    member::<QuatRalston4, QuatRk>(),
    member::<QuatMerson, QuatRk>(),
    member::<QuatFehlberg4, QuatRk>(),
    member::<QuatFehlberg5, QuatRk>(),
    member::<QuatCashKarp5, QuatRk>(),
    member::<QuatDormandPrince5, QuatRk>(),
    member::<QuatButcher6, QuatRk>(),
    member::<QuatVerner6, QuatRk>(),
    member::<QuatGbs4, QuatRk>(),
    member::<QuatGbs6, QuatRk>(),
    member::<QuatDormandPrince8, QuatRk>(),
    member::<QuatImplicitEuler, QuatImplicit>(),
    member::<QuatTrapezoidal, QuatImplicit>(),
    member::<QuatAlexander2, QuatImplicit>(),
    member::<QuatLobatto3c, QuatImplicit>(),
    member::<QuatAb2, Multistep>(),
    member::<QuatAb3, Multistep>(),
    member::<QuatAb4, Multistep>(),
    member::<QuatAbm4, Multistep>(),
    member::<Gauss4, Gauss>(),
    member::<Gauss6, Gauss>(),
    row::<Dmv>(),
    row::<DmvLeapfrog>(),
    row::<Dmv4>(),
    row::<Dmv6>(),
    row::<Dmv8>(),
    row::<Dmv10>(),
    row::<Split3>(),
    row::<SplitSym>(),
    member::<ExactStrang, ExactSplitting>(),
    member::<ExactSuzuki4, ExactSplitting>(),
    member::<ExactBm6, ExactSplitting>(),
    member::<ExactSrkn6b, ExactSplitting>(),
    member::<ExactSrkn11b, ExactSplitting>(),
    member::<ExactSrkn14a, ExactSplitting>(),
    row::<ExactPmlf6>(),
    row::<Taylor16>(),
    row::<EulerGyro>(),
    row::<Catto>(),
    row::<Jolt>(),
    row::<Ode>(),
    row::<Steel>(),
    row::<Rapier>(),
    row::<Buss2>(),
    row::<Spiral>(),
    row::<SpiralLeapfrog>(),
    row::<Richardson>(),
    row::<Fincham>(),
    row::<Omelyan>(),
    row::<Liggghts>(),
    row::<Espresso>(),
    row::<Pcdm>(),
    row::<PcdmLeapfrog>(),
    row::<Mercurydpm>(),
    member::<JsbsimEuler, Multistep>(),
    member::<JsbsimTrapezoidal, Multistep>(),
    member::<JsbsimBuss1, Multistep>(),
    member::<JsbsimBuss2, Multistep>(),
    member::<JsbsimLocalLinear, Multistep>(),
    splitting_row::<PoissonFirst>(),
    splitting_row::<PoissonAdjoint>(),
    splitting_row::<PoissonStrang>(),
    splitting_row::<PoissonYoshida4>(),
    splitting_row::<PoissonSuzuki4>(),
    splitting_row::<PoissonMcLachlan4>(),
    splitting_row::<PoissonBm4>(),
    splitting_row::<PoissonYoshida6>(),
    splitting_row::<PoissonKahanLi6>(),
    splitting_row::<PoissonBm6>(),
    splitting_row::<PoissonSrkn14a>(),
    splitting_row::<PoissonSuzukiUmeno8>(),
    constrained_row::<GenAlpha>(),
    constrained_row::<RattleDae>(),
    rate_row::<Rotvec1>(),
    rate_row::<Rotvec2>(),
    rate_row::<Rotvec3>(),
    rate_row::<Rotvec4>(),
    rate_row::<ExpMidpoint>(),
    rate_row::<Magnus4>(),
    rate_row::<Magnus6>(),
    rate_row::<QuatEuler>(),
    rate_row::<QuatRateRk4>(),
    adaptive_row::<AdaptiveBogackiShampine>(),
    adaptive_row::<AdaptiveDormandPrince>(),
    adaptive_row::<AdaptiveDop853>(),
];

/// Returns the row of a scheme that turns the attitude of any body: an engine of its own.
const fn row<S>() -> SchemeRow
where
    S: RotationScheme + Described + DeserializeOwned + Documented + 'static,
{
    member::<S, S>()
}

/// Returns the row of a scheme that is a table of an engine: bound as the engine, whose loop is compiled once.
const fn member<S, E>() -> SchemeRow
where
    S: Described + DeserializeOwned + Documented + 'static,
    E: From<S> + RotationScheme + 'static,
{
    SchemeRow {
        info: S::INFO,
        family: SchemeFamily::Rotation,
        takes_rate: E::TAKES_RATE,
        bind: |model, parameters| bind(E::from(parameters.read::<S>()?), model),
        #[cfg(feature = "schema")]
        schema: schema_of::<S>,
        #[cfg(test)]
        assert: |info, numbers| testbed::claims::rotation(&E::from(usual::<S>()), info, numbers),
    }
}

/// Returns the row of a scheme that splits the motion of symmetric bodies.
const fn splitting_row<S>() -> SchemeRow
where
    S: Splitting + Described + DeserializeOwned + Documented + 'static,
{
    SchemeRow {
        info: S::INFO,
        family: SchemeFamily::Splitting,
        takes_rate: false,
        bind: |model, parameters| bind_splitting(parameters.read::<S>()?, model),
        #[cfg(feature = "schema")]
        schema: schema_of::<S>,
        #[cfg(test)]
        assert: |info, numbers| testbed::claims::splitting(&usual::<S>(), info, numbers),
    }
}

/// Returns the row of a scheme of a body and its joint as a constrained system.
const fn constrained_row<S>() -> SchemeRow
where
    S: Scheme<JointedBody> + Described + DeserializeOwned + Documented + 'static,
{
    SchemeRow {
        info: S::INFO,
        family: SchemeFamily::Constrained,
        takes_rate: false,
        bind: |model, parameters| bind_constrained(parameters.read::<S>()?, model),
        #[cfg(feature = "schema")]
        schema: schema_of::<S>,
        #[cfg(test)]
        assert: |info, numbers| testbed::claims::constrained(&usual::<S>(), info, numbers),
    }
}

/// Returns the row of a scheme of a given rate.
const fn rate_row<S>() -> SchemeRow
where
    S: RateScheme + Described + DeserializeOwned + Documented + 'static,
{
    SchemeRow {
        info: S::INFO,
        family: SchemeFamily::GivenRate,
        takes_rate: false,
        bind: |model, parameters| bind_given_rate(parameters.read::<S>()?, model),
        #[cfg(feature = "schema")]
        schema: schema_of::<S>,
        #[cfg(test)]
        assert: |info, numbers| testbed::claims::given_rate(&usual::<S>(), info, numbers),
    }
}

/// Returns the row of a scheme that divides its steps to a tolerance, which is the one parameter that has no default.
const fn adaptive_row<S>() -> SchemeRow
where
    S: Described + DeserializeOwned + Documented + 'static,
    Adaptive: From<S>,
{
    SchemeRow {
        family: SchemeFamily::Adaptive,
        #[cfg(test)]
        assert: |info, _| {
            let made = |tolerance| Adaptive::from(with_tolerance::<S>(tolerance));
            testbed::claims::adaptive(&made, info);
        },
        ..member::<S, Adaptive>()
    }
}

/// A type with a JSON Schema, where the feature `schema` is on.
#[cfg(feature = "schema")]
trait Documented: schemars::JsonSchema {}
#[cfg(feature = "schema")]
impl<S: schemars::JsonSchema> Documented for S {}
/// A type with a JSON Schema, where the feature `schema` is on.
#[cfg(not(feature = "schema"))]
trait Documented {}
#[cfg(not(feature = "schema"))]
impl<S> Documented for S {}

#[cfg(feature = "schema")]
fn schema_of<S: Documented>(g: &mut SchemaGenerator) -> Schema {
    S::json_schema(g)
}

/// Returns a scheme with the usual parameters.
#[cfg(test)]
fn usual<S: DeserializeOwned>() -> S {
    let read = Parameters::default().read();
    read.expect("all parameters have defaults")
}

/// Returns a scheme with a tolerance.
#[cfg(test)]
fn with_tolerance<S: DeserializeOwned>(tolerance: f64) -> S {
    let parameters = Parameters::with_tolerance(tolerance);
    parameters.read().expect("a tolerance is all that it takes")
}

/// Returns the row of a scheme.
pub fn find(name: &str) -> Option<&'static SchemeRow> {
    SCHEMES.iter().find(|r| r.info.name == name)
}

/// Names of all schemes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|r| r.info.name)
}

#[cfg(test)]
mod tests {
    use super::super::experiment::WrongFamily;
    use super::super::parameters::parse;
    use super::*;

    #[test]
    fn parameters_of_implicit_schemes_are_read_and_unknown_ones_refused() {
        use crate::schemes::LieMidImp;
        let read = |text: &str| parse(text).read::<LieMidImp>();
        let scheme = read("tolerance = 1e-9").unwrap();
        assert_eq!(scheme.newton.tolerance, 1e-9);
        assert_eq!(scheme.newton.max_iterations, 20);
        assert!(read("tolerence = 1e-9").is_err());
    }

    #[test]
    fn schemes_say_whether_they_take_a_torque_of_the_rate() {
        use crate::models::{AnyTop, Damping, bodies};
        let (linear, quadratic) = (0.1, 0.2);
        let body = bodies::body(Damping { linear, quadratic });
        let damped = Model::Top(AnyTop::from(body));
        let mut takers = 0;
        for row in SCHEMES
            .iter()
            .filter(|row| row.family == SchemeFamily::Rotation)
        {
            let bound = (row.bind)(&damped, &Parameters::default()).map(|_| ());
            let says = row.assumptions().contains("also one of the rate");
            assert_eq!(row.takes_rate, says, "{}", row.info.name);
            takers += u32::from(says);
            let expected = if says {
                Ok(())
            } else if row.info.name == "taylor16" {
                Err(Refusal::Family(WrongFamily::NoSeries))
            } else {
                Err(Refusal::Family(WrongFamily::NoRate))
            };
            assert_eq!(bound, expected, "{}", row.info.name);
        }
        assert!(takers >= 10, "{takers}");
    }

    #[cfg(feature = "schema")]
    #[test]
    fn schemas_name_the_parameters() {
        let schema = schema_of::<crate::schemes::LieMidImp>(&mut SchemaGenerator::default());
        let properties = schema.get("properties").unwrap();
        assert!(properties.get("tolerance").is_some(), "{properties}");
    }

    #[test]
    fn parameters_of_constrained_schemes_list_what_is_allowed() {
        use crate::schemes::{Formulation, GenAlpha, Index};
        let read = |text: &str| parse(text).read::<GenAlpha>().map_err(|e| e.to_string());
        let scheme = read("rho_inf = 0.8\nformulation = \"se3\"\nindex = 2").unwrap();
        assert_eq!(scheme.rho_inf, 0.8);
        assert_eq!(
            (scheme.formulation, scheme.index),
            (Formulation::Se3, Index::Two)
        );
        let refused = |text: &str| read(text).unwrap_err();
        assert!(refused("formulation = \"so3\"").contains("`inertial`, `r3xso3`, `se3`"));
        assert!(refused("index = 1").contains("allowed: 3, 2"));
        assert!(refused("start = \"cold\"").contains("`as_given`"));
        assert!(refused("constraint_stiffness = \"none\"").contains("`omitted`"));
        assert!(refused("rho = 0.9").contains("unknown field `rho`"));
    }

    #[test]
    fn schemes_take_the_bodies_of_their_family_and_refuse_others_in_words() {
        use crate::models::{AnyTop, bodies};
        let jointed = Model::Jointed(bodies::jointed_heavy_top());
        let top = Model::Top(AnyTop::from(bodies::heavy_top()));
        for row in SCHEMES {
            // Without a tolerance no body is taken.
            let none = match row.info.adaptive {
                Some(_) => Parameters::with_tolerance(1e-6),
                None => Parameters::default(),
            };
            let unbound = (row.bind)(&top, &Parameters::default());
            assert!(row.info.adaptive.is_none() || matches!(unbound, Err(Refusal::Parameters(_))));
            let rate = Model::GivenRate(bodies::coning());
            let given = row.family == SchemeFamily::GivenRate;
            assert_eq!((row.bind)(&rate, &none).is_ok(), given, "{}", row.info.name);
            assert_eq!(
                (row.bind)(&jointed, &none).is_ok(),
                !given,
                "{}",
                row.info.name
            );
            if row.family == SchemeFamily::Constrained {
                let refused = (row.bind)(&top, &none).map(|_| ());
                let expected = Refusal::Family(WrongFamily::NoConstraint);
                assert_eq!(refused, Err(expected), "{}", row.info.name);
            }
        }
        let asymmetric = Model::Jointed(bodies::jointed_a());
        let splitting = find("poisson_strang").unwrap();
        assert!((splitting.bind)(&asymmetric, &Parameters::default()).is_err());
    }
}
