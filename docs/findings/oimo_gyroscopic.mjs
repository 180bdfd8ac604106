// The angular momentum of a free box of 1 × 2 × 3 m in oimo: it should stay, and the smaller the step, the better.
import OIMO from "oimo";

for (const h of [1 / 60, 1 / 600, 1 / 6000]) {
    const world = new OIMO.World({ timestep: h, gravity: [0, 0, 0], random: false });
    const body = world.add({ type: "box", size: [1, 2, 3], pos: [0, 0, 0], move: true, density: 1 });
    body.allowSleep = false;
    body.angularVelocity.set(1, 2, 3);
    const J = body.localInertia.elements;
    const momentum = () => {
        const R = body.rotation.elements, v = body.angularVelocity, w = [v.x, v.y, v.z];
        const inBody = [0, 1, 2].map((i) => R[i] * w[0] + R[3 + i] * w[1] + R[6 + i] * w[2]);
        const L = [J[0] * inBody[0], J[4] * inBody[1], J[8] * inBody[2]];
        return [0, 1, 2].map((i) => R[3 * i] * L[0] + R[3 * i + 1] * L[1] + R[3 * i + 2] * L[2]);
    };
    const before = momentum();
    for (let t = 0; t < 1 - h / 2; t += h) world.step();
    const after = momentum(), change = Math.hypot(...after.map((x, i) => x - before[i])) / Math.hypot(...before);
    console.log(`h = ${h.toFixed(6)} s: the momentum has changed by ${(100 * change).toPrecision(3)} % of its size after 1 s`);
}
