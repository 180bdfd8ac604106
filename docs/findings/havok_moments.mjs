// An angular impulse of 1 N m s on a free body at rest in Havok for the web: the rate should be 1 / J.
import { readFileSync } from "node:fs";
import HavokPhysics from "@babylonjs/havok";

const havok = await HavokPhysics({ wasmBinary: readFileSync("node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm") });
for (const moment of [1, 1.1, 1.3, 2, 2.9, 3, 5.1, 7]) {
    const world = havok.HP_World_Create()[1], body = havok.HP_Body_Create()[1];
    havok.HP_Body_SetMotionType(body, havok.MotionType.DYNAMIC);
    havok.HP_Body_SetMassProperties(body, [[0, 0, 0], 1, [moment, moment, moment], [0, 0, 0, 1]]);
    havok.HP_World_AddBody(world, body, false);
    havok.HP_Body_ApplyAngularImpulse(body, [1, 0, 0]);
    const [rate] = havok.HP_Body_GetAngularVelocity(body)[1], kept = havok.HP_Body_GetMassProperties(body)[1][2][0];
    const inverse = 2 ** Math.floor(Math.log2(rate)), mantissa = (rate / inverse) * 128;
    console.log(`moment ${moment} (read back ${kept.toFixed(6)}): acts as ${(1 / rate).toFixed(6)}, ` +
        `${(100 * Math.abs(1 / rate / moment - 1)).toFixed(3)} % off; the inverse is ${mantissa.toFixed(3)} / 128 times a power of 2`);
}
