// A free body that spins about its axis of the largest moment, tilted by 0.1 rad/s, in Jolt with mApplyGyroscopicForce: it should go on so.
import start from "jolt-physics";
const Jolt = await start(), made = new Jolt.JoltSettings(), pairs = new Jolt.ObjectLayerPairFilterTable(1), layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
[made.mMaxWorkerThreads, made.mObjectLayerPairFilter, made.mBroadPhaseLayerInterface] = [0, pairs, layers];
made.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
const jolt = new Jolt.JoltInterface(made), world = jolt.GetPhysicsSystem(), bodies = world.GetBodyInterface(), J = [1, 2, 3];
world.SetGravity(new Jolt.Vec3(0, 0, 0));
const about = new Jolt.BodyCreationSettings(new Jolt.SphereShape(0.1), new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1), Jolt.EMotionType_Dynamic, 0);
[about.mApplyGyroscopicForce, about.mAngularDamping, about.mAllowSleeping] = [true, 0, false];
about.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
[about.mMassPropertiesOverride.mMass, about.mMassPropertiesOverride.mInertia] = [1, Jolt.Mat44.prototype.sScaleVec3(new Jolt.Vec3(...J))];
const body = bodies.CreateBody(about);
bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
body.SetAngularVelocity(new Jolt.Vec3(0.1, 0.1, 5));
for (let seconds = 0; seconds <= 60; seconds += 10) {
    const v = body.GetRotation().Conjugated().MulVec3(body.GetAngularVelocity()), W = [v.GetX(), v.GetY(), v.GetZ()], E = W.reduce((sum, w, i) => sum + J[i] * w * w / 2, 0);
    console.log(`t = ${seconds} s: rate in the body ${W.map((a) => a.toFixed(3)).join(", ")} rad/s, energy ${E.toFixed(3)} J`);
    for (let n = 0; n < 600; n++) jolt.Step(1 / 60, 1);
}
