// The rate of a free sphere in Rapier, single precision, without torque, damping and sleep: it should stay 10 rad/s.
import RAPIER from "@dimforge/rapier3d-compat";

await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
world.timestep = 1 / 60;
const inertia = { x: 1, y: 1, z: 1 }, frame = { x: 0, y: 0, z: 0, w: 1 };
const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic()
    .setAdditionalMassProperties(1, { x: 0, y: 0, z: 0 }, inertia, frame)
    .setAngvel({ x: 3, y: 5, z: Math.sqrt(66) })
    .setCanSleep(false));
for (let minutes = 0; minutes <= 60; minutes += 10) {
    const w = body.angvel(), rate = Math.hypot(w.x, w.y, w.z);
    console.log(`after ${minutes} min: ${rate.toFixed(6)} rad/s, energy ${(100 * (rate ** 2 / 100 - 1)).toFixed(3)} % off`);
    for (let n = 0; n < 36000; n++) world.step();
}
