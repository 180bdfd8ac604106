//! USD with UsdPhysics, as text. Rates are in degrees a second; masses and inertias are single precision in the schema. The
//! schema has principal moments only; parts are boxes with a mass, of which an importer makes the inertia.

use super::InertiaForm;
use super::body::{ExportedBody, InertialPart, join, quaternion};
use std::fmt::Write;
use topsim_core::math::Vec3;

pub(super) fn write(body: &ExportedBody) -> String {
    let solid = body.solid;
    let start = &solid.posed.initial;
    let (position, velocity) = body.origin();
    let mut out = String::from(
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    metersPerUnit = 1\n    kilogramsPerUnit = 1\n    upAxis = \"Z\"\n)\n\n",
    );
    for line in body.remarks() {
        let _ = writeln!(out, "# {line}");
    }
    out += "# Rates of rigid bodies are in the space of the transform of their prim: here that of the world.\n";
    let strength = solid.gravity.norm();
    let down = if strength > 0.0 {
        solid.gravity / strength
    } else {
        -Vec3::z()
    };
    let rate = Vec3::from(start.angular_velocity_space).map(f64::to_degrees);
    let schemas = match body.form {
        InertiaForm::Parts => "\"PhysicsRigidBodyAPI\"",
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
    for (k, part) in body.parts.iter().enumerate() {
        out += &match body.form {
            InertiaForm::Parts => cube(k + 1, part),
            _ => mass(part),
        };
    }
    out += "    }\n";
    if solid.held {
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
            tuple(body.anchor.as_slice())
        );
    }
    out + "}\n"
}

fn mass(part: &InertialPart) -> String {
    let (moments, axes) = part.principal();
    format!(
        "        float physics:mass = {:?}
        point3f physics:centerOfMass = {}
        float3 physics:diagonalInertia = {}
        quatf physics:principalAxes = {}
",
        part.mass,
        tuple(part.pose.position.as_slice()),
        tuple(moments.as_slice()),
        tuple(&quaternion(&axes)),
    )
}

fn cube(number: usize, part: &InertialPart) -> String {
    let (_, axes) = part.principal();
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
        tuple(part.pose.position.as_slice()),
        tuple(&quaternion(&axes)),
        tuple(part.edges().as_slice()),
        part.mass,
    )
}

fn tuple(numbers: &[f64]) -> String {
    format!("({})", join(numbers, ", "))
}
