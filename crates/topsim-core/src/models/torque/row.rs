//! Everything derived from a row of the list of torque models: the table of files, the dispatch, the
//! description for external solvers, and its schema.

use super::Torque;
use serde::Serialize;

/// Torque as it is described to external solvers: its numbers are what serde writes.
pub(super) trait Formula: Torque + Serialize {
    /// The torque in terms of the names of its numbers, the attitude R and the time t.
    const FORMULA: &'static str;
}

/// Parameters of a torque in files.
pub(super) trait TorqueParameters {
    /// Torque model of these parameters.
    type Torque: Torque;
    /// Example of the parameters as JSON, without those that have a default.
    #[cfg(test)]
    const EXAMPLE: &'static str;
    /// Builds the model, unless the parameters are impossible.
    fn torque(&self) -> Result<Self::Torque, TorqueError>;
}

/// Reason why the parameters of a torque are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {found}; allowed: {allowed}")]
pub struct TorqueError {
    /// Key in the table of the torque.
    pub key: &'static str,
    /// Description of the value found.
    pub found: String,
    /// Description of the values allowed.
    pub allowed: String,
}

impl TorqueError {
    pub(super) fn new(
        key: &'static str,
        found: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self {
            key,
            found: found.into(),
            allowed: allowed.into(),
        }
    }
}

/// Writes a number in short form: 1e-16 instead of 0.0000000000000001.
pub(super) fn short(x: f64) -> String {
    let (plain, scientific) = (x.to_string(), format!("{x:e}"));
    if plain.len() > scientific.len() + 2 {
        scientific
    } else {
        plain
    }
}

/// Serialized form of a model.
#[derive(Serialize)]
pub(super) struct SerializedModel<'a, T> {
    pub(super) model: &'static str,
    pub(super) formula: &'static str,
    #[serde(flatten)]
    pub(super) numbers: &'a T,
}

/// Returns the schema of [`SerializedModel`], in which every number has its key.
#[cfg(feature = "schema")]
pub(super) fn written_schema<T: schemars::JsonSchema>(
    model: &str,
    description: &str,
    writer: &mut schemars::SchemaGenerator,
) -> schemars::Schema {
    let numbers = T::json_schema(writer);
    let own = |keyword: &str| numbers.get(keyword).into_iter();
    let mut written = schemars::json_schema!({
        "description": description.trim(),
        "type": "object",
        "properties": {
            "model": { "type": "string", "const": model },
            "formula": { "description": "The formula.", "type": "string" },
        },
        "required": ["model", "formula"],
    });
    let all = written.ensure_object();
    for (key, number) in own("properties").filter_map(|p| p.as_object()).flatten() {
        let mut number = number.clone();
        number.as_object_mut().map(|n| n.remove("default"));
        all["properties"][key] = number;
    }
    if let Some(required) = all["required"].as_array_mut() {
        required.extend(
            own("required")
                .filter_map(|r| r.as_array())
                .flatten()
                .cloned(),
        );
    }
    written
}

/// Defines the models in rows `/// Description.  "name" => Model, read as Parameters;`, with the parameters if
/// files have the model.
macro_rules! torque_models {
    ($( #[doc = $doc:literal] $name:literal => $model:ident $(, read as $parameters:ty)?; )*) => {
        /// Torque of any model; [`crate::models::AnyTop`] opens it once per run. In serialized form, which is
        /// sent to external solvers, it has the name, a formula and its numbers.
        #[derive(Debug, Clone, PartialEq)]
        pub enum TorqueModel {
            $( #[doc = $doc] $model($model), )*
        }

        /// Torque models.
        #[derive(Debug, Clone, Deserialize)]
        #[serde(tag = "model", deny_unknown_fields)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[expect(missing_docs, reason = "each parameter table has its own")]
        pub enum TorqueTable {
            $($( #[serde(rename = $name)] $model($parameters), )?)*
        }

        impl TorqueTable {
            /// Builds the model.
            ///
            /// # Errors
            /// [`TorqueError`] for impossible parameters.
            pub fn torque(&self) -> Result<TorqueModel, TorqueError> {
                match self {
                    $($(
                        Self::$model(p) => <$parameters>::torque(p).map(TorqueModel::$model),
                    )?)*
                }
            }
        }

        /// Name and parameters of an example of each model that files have.
        #[cfg(test)]
        const EXAMPLES: &[(&str, &str)] = &[
            $($( ($name, <$parameters>::EXAMPLE), )?)*
        ];

        $(
            impl From<$model> for TorqueModel {
                fn from(torque: $model) -> Self {
                    Self::$model(torque)
                }
            }
        )*

        /// The model is chosen again at every evaluation, by a branch that always goes the same way.
        impl Torque for TorqueModel {
            #[inline]
            fn body(&self, t: f64, att: &Mat3) -> Vec3 {
                match self { $( Self::$model(m) => m.body(t, att), )* }
            }
            fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
                match self { $( Self::$model(m) => m.derivative(t, att, omega), )* }
            }
            #[inline]
            fn space(&self, t: f64, att: &Mat3) -> Vec3 {
                match self { $( Self::$model(m) => m.space(t, att), )* }
            }
            fn depends_on_rate(&self) -> bool {
                match self { $( Self::$model(m) => m.depends_on_rate(), )* }
            }
            #[inline]
            fn moving(&self, t: f64, att: &Mat3, turning: &BodyMotion) -> Vec3 {
                match self { $( Self::$model(m) => m.moving(t, att, turning), )* }
            }
            #[inline]
            fn whole_momentum(&self, t: f64, momentum: Vec3) -> Vec3 {
                match self { $( Self::$model(m) => m.whole_momentum(t, momentum), )* }
            }
            fn kept_momentum(&self) -> KeptMomentum {
                match self { $( Self::$model(m) => m.kept_momentum(), )* }
            }
            #[inline]
            fn inertia_factor(&self, t: f64) -> f64 {
                match self { $( Self::$model(m) => m.inertia_factor(t), )* }
            }
            fn integral(&self, inertia: &Inertia, start: &Start) -> Option<Integral> {
                match self { $( Self::$model(m) => m.integral(inertia, start), )* }
            }
            fn on_body(self, inertia: &Inertia) -> Self {
                match self { $( Self::$model(m) => Self::$model(m.on_body(inertia)), )* }
            }
            #[inline]
            fn potential(&self, att: &Mat3) -> f64 {
                match self { $( Self::$model(m) => m.potential(att), )* }
            }
            fn is_conservative(&self) -> bool {
                match self { $( Self::$model(m) => m.is_conservative(), )* }
            }
            fn lever(&self) -> Option<&Vec3> {
                match self { $( Self::$model(m) => Torque::lever(m), )* }
            }
            fn piece(&self, t: f64) -> Option<Piece> {
                match self { $( Self::$model(m) => m.piece(t), )* }
            }
            fn switches(&self, from: f64, to: f64) -> Vec<f64> {
                match self { $( Self::$model(m) => m.switches(from, to), )* }
            }
        }

        impl Serialize for TorqueModel {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $( Self::$model(numbers) => row::SerializedModel {
                        model: $name,
                        formula: $model::FORMULA,
                        numbers,
                    }.serialize(serializer), )*
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for TorqueModel {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "TorqueModel".into()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut writer = generator.settings().clone().for_serialize().into_generator();
                let models = [$( row::written_schema::<$model>($name, $doc, &mut writer) ),*];
                generator.definitions_mut().extend(writer.take_definitions(false));
                schemars::json_schema!({
                    "description": "Torque about the point the body turns about, N m. R: attitude, v_space = R v_body; t: time, s;\n\
                                    tau_body = transpose(R) tau_space.",
                    "oneOf": models,
                })
            }
        }
    };
}

pub(super) use torque_models;
