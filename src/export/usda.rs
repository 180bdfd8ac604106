//! USD with UsdPhysics, as text. Rates are in degrees a second; masses and inertias are single precision in its schema. It
//! has principal moments only; parts are boxes with a mass, of which an importer makes the inertia.

use super::Form;
use super::body::{Inertial, Model, quaternion};
use std::fmt::Write;
use topsim_core::math::Vec3;

pub(super) fn write(model: &Model) -> String {
    let body = model.body;
    let start = &body.posed.initial;
    let (position, velocity) = model.origin();
    let mut out = String::from(
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    upAxis = \"Z\"\n)\n\n",
    );
    for line in model.remarks() {
        let line: String = line
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let _ = writeln!(out, "# {line}");
    }
    out += "# Rates of rigid bodies are in the space of the transform of their prim: here that of the world.\n";
    let strength = body.gravity.norm();
    let down = if strength > 0.0 {
        body.gravity / strength
    } else {
        -Vec3::z()
    };
    let rate = Vec3::from(start.angular_velocity_space).map(f64::to_degrees);
    let schemas = match model.form {
        Form::Parts => "\"PhysicsRigidBodyAPI\"",
        _ => "\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"",
    };
    let _ = write!(
        out,
        "def Xform \"World\"
{{
    def PhysicsScene \"scene\"
    {{
        vector3f physics:gravityDirection = {}
        float physics:gravityMagnitude = {strength:?}
    }}

    def Xform \"body\" (
        prepend apiSchemas = [{schemas}]
    )
    {{
        double3 xformOp:translate = {}
        quatd xformOp:orient = {}
        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]
        vector3f physics:velocity = {}
        vector3f physics:angularVelocity = {}
",
        tuple(down.as_slice()),
        tuple(position.as_slice()),
        tuple(&start.quaternion),
        tuple(velocity.as_slice()),
        tuple(rate.as_slice()),
    );
    for (k, inertial) in model.inertials.iter().enumerate() {
        out += &match model.form {
            Form::Parts => part(k + 1, inertial),
            _ => mass(inertial),
        };
    }
    out += "    }\n";
    if body.is_held() {
        let _ = write!(
            out,
            "
    def PhysicsSphericalJoint \"ball\"
    {{
        rel physics:body1 = </World/body>
        point3f physics:localPos0 = (0, 0, 0)
        point3f physics:localPos1 = {}
        quatf physics:localRot0 = (1, 0, 0, 0)
        quatf physics:localRot1 = (1, 0, 0, 0)
    }}
",
            tuple(model.anchor.as_slice())
        );
    }
    out + "}\n"
}

fn mass(inertial: &Inertial) -> String {
    let (moments, axes) = inertial.principal();
    format!(
        "        float physics:mass = {:?}
        point3f physics:centerOfMass = {}
        float3 physics:diagonalInertia = {}
        quatf physics:principalAxes = {}
",
        inertial.mass,
        tuple(inertial.position.as_slice()),
        tuple(moments.as_slice()),
        tuple(&quaternion(&axes)),
    )
}

fn part(number: usize, inertial: &Inertial) -> String {
    let (_, axes) = inertial.principal();
    format!(
        "
        def Cube \"part{number}\" (
            prepend apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsMassAPI\"]
        )
        {{
            double size = 1
            double3 xformOp:translate = {}
            quatd xformOp:orient = {}
            double3 xformOp:scale = {}
            uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\", \"xformOp:scale\"]
            float physics:mass = {:?}
        }}
",
        tuple(inertial.position.as_slice()),
        tuple(&quaternion(&axes)),
        tuple(inertial.edges().as_slice()),
        inertial.mass,
    )
}

fn tuple(numbers: &[f64]) -> String {
    let words: Vec<String> = numbers.iter().map(|x| format!("{:?}", x + 0.0)).collect();
    format!("({})", words.join(", "))
}
