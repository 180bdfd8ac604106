// The rate of a free body in Havok for the web after one step, without damping. Euler's equations, J w' = J w × w, say how it changes.
import { readFileSync } from "node:fs";
import HavokPhysics from "@babylonjs/havok";

const havok = await HavokPhysics({ wasmBinary: readFileSync("node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm") });
const h = 0.01, J = [1, 2, 3], w = [1, 2, 3];
const world = havok.HP_World_Create()[1], body = havok.HP_Body_Create()[1];
havok.HP_World_SetGravity(world, [0, 0, 0]);
havok.HP_World_SetIdealStepTime(world, h);
havok.HP_Body_SetMotionType(body, havok.MotionType.DYNAMIC);
havok.HP_Body_SetMassProperties(body, [[0, 0, 0], 1, J, [0, 0, 0, 1]]);
havok.HP_Body_SetAngularDamping(body, 0);
havok.HP_World_AddBody(world, body, false);
havok.HP_Body_SetAngularVelocity(body, w);
havok.HP_World_Step(world, h);
const after = havok.HP_Body_GetAngularVelocity(body)[1], next = [1, 2, 0], last = [2, 0, 1];
const exact = w.map((_, i) => ((J[next[i]] - J[last[i]]) * w[next[i]] * w[last[i]]) / J[i]);
console.log("angular acceleration by Euler's equations:", exact.map((x) => x.toFixed(3)).join(", "), "rad/s^2");
console.log("angular acceleration of Havok:            ", after.map((x, i) => ((x - w[i]) / h).toFixed(3)).join(", "), "rad/s^2");
