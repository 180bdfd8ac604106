// A free body that spins about its axis of the largest moment, tilted by 0.1 rad/s, in Rapier: it should go on so for ever.
import RAPIER from "@dimforge/rapier3d-compat";

await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
world.timestep = 1 / 60;
world.numSolverIterations = Number(process.argv[2] ?? 4);
const J = [1, 2, 3], body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic()
    .setAdditionalMassProperties(1, { x: 0, y: 0, z: 0 }, { x: J[0], y: J[1], z: J[2] }, { x: 0, y: 0, z: 0, w: 1 })
    .setAngvel({ x: 0.1, y: 0.1, z: 5 })
    .setCanSleep(false));
for (let seconds = 0; seconds <= 60; seconds += 10) {
    const { x, y, z, w } = body.rotation(), v = body.angvel(), s = [v.x, v.y, v.z], u = [-x, -y, -z];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const c = cross(u, s), d = cross(u, c), W = s.map((a, i) => a + 2 * (w * c[i] + d[i])); // rate in the body's frame
    const energy = 0.5 * (J[0] * W[0] ** 2 + J[1] * W[1] ** 2 + J[2] * W[2] ** 2);
    console.log(`t = ${seconds} s: rate in the body ${W.map((a) => a.toFixed(3)).join(", ")} rad/s, energy ${energy.toFixed(3)} J`);
    for (let n = 0; n < 600; n++) world.step();
}
