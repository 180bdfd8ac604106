// The angular momentum of a free body in cannon-es, without damping: it should stay, and the smaller the step, the better.
import { Body, Quaternion, Vec3, World } from "cannon-es";

for (const h of [1 / 60, 1 / 600, 1 / 6000]) {
    const world = new World({ gravity: new Vec3(0, 0, 0) });
    const body = new Body({ mass: 1, angularDamping: 0, linearDamping: 0 });
    body.inertia.set(1, 2, 3);
    body.invInertia.set(1, 1 / 2, 1 / 3);
    body.angularVelocity.set(1, 2, 3);
    world.addBody(body);
    body.updateInertiaWorld(true);
    const momentum = () => {
        const w = body.quaternion.inverse().vmult(body.angularVelocity);
        return body.quaternion.vmult(new Vec3(w.x, 2 * w.y, 3 * w.z));
    };
    const before = momentum();
    for (let t = 0; t < 1 - h / 2; t += h) world.step(h);
    const change = momentum().vsub(before).length() / before.length();
    console.log(`h = ${h.toFixed(6)} s: the momentum has changed by ${(100 * change).toPrecision(3)} % of its size after 1 s`);
}
