// Physics engines of npm as solvers for `topsim judge`: Rapier, Jolt, cannon-es, Havok, Ammo (two builds), PhysX and oimo.
//
//     scripts/adapters/install npm
//     topsim judge --all --solver "node scripts/adapters/npm_solver.mjs jolt --setting recommended"
//
// `node npm_solver.mjs ENGINE --settings` says what each setting is. Every engine gets a free body in its principal axes, also
// for a top: its tensor is that about the fixed point, and the weight is a torque. Torques are put on before each step, in
// space, at the state of the start of the step. oimo takes no torque: such problems are skipped. TOPSIM_ADAPTERS names
// the folder of the packages, as for `install`.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { problems, product, toBody, toSpace } from "../../examples/js/topsim_solver.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(process.env.TOPSIM_ADAPTERS ?? join(here, ".venv"), "npm");
const require = createRequire(join(packages, "package.json"));
const folder = (name) => join(packages, "node_modules", name);
const load = async (name, file) => (await import(pathToFileURL(join(folder(name), file)))).default;

/** Above all rates and limits of the problems, rad/s. */
const NO_LIMIT = 1e6;
const xyz = ([x, y, z]) => ({ x, y, z });
const turn = ([w, x, y, z]) => ({ x, y, z, w });
const vector = (v) => [v.x, v.y, v.z];
const quaternion = (q) => [q.w, q.x, q.y, q.z];

/**
 * For each engine its package, what its settings are, and a function that loads it. That returns a function which makes a body
 * from (moments, q, w, h, setting): moments in kg m², q the attitude of the principal axes, w the rate in space, h the step.
 * A body has `step(torque)`, with the torque in space or null, and `get()`, which gives q and w.
 */
const ENGINES = {
    rapier: {
        package: "@dimforge/rapier3d-compat",
        settings: {
            default: "as Rapier comes: 4 solver iterations, each of a quarter of the step; sleep",
            recommended: "no sleep",
            one_iteration: "as recommended, with one solver iteration",
        },
        async load() {
            const RAPIER = require(this.package);
            await RAPIER.init();
            return (moments, q, w, h, setting) => {
                const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
                world.timestep = h;
                if (setting === "one_iteration") world.numSolverIterations = 1;
                const about = RAPIER.RigidBodyDesc.dynamic()
                    .setAdditionalMassProperties(1, { x: 0, y: 0, z: 0 }, xyz(moments), { x: 0, y: 0, z: 0, w: 1 })
                    .setRotation(turn(q))
                    .setAngvel(xyz(w))
                    .setCanSleep(setting === "default");
                const body = world.createRigidBody(about);
                return {
                    step(torque) {
                        body.resetTorques(false);
                        if (torque) body.addTorque(xyz(torque), true);
                        world.step();
                    },
                    get: () => [quaternion(body.rotation()), vector(body.angvel())],
                    free: () => world.free(),
                };
            };
        },
    },
    jolt: {
        package: "jolt-physics",
        settings: {
            default: "as Jolt comes: no gyroscopic term, angular damping 0.05/s, rates held below 47.1 rad/s; sleep",
            recommended: "mApplyGyroscopicForce, no damping, no limit of the rate, no sleep",
        },
        async load() {
            const Jolt = await (await load(this.package, "dist/jolt-physics.wasm-compat.js"))();
            const about = new Jolt.JoltSettings();
            about.mMaxWorkerThreads = 0;
            const pairs = new Jolt.ObjectLayerPairFilterTable(1), layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
            layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
            about.mObjectLayerPairFilter = pairs;
            about.mBroadPhaseLayerInterface = layers;
            about.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
            const jolt = new Jolt.JoltInterface(about);
            const world = jolt.GetPhysicsSystem(), bodies = world.GetBodyInterface();
            world.SetGravity(new Jolt.Vec3(0, 0, 0));
            return (moments, q, w, h, setting) => {
                const made = new Jolt.BodyCreationSettings(new Jolt.SphereShape(0.1), new Jolt.RVec3(0, 0, 0),
                    new Jolt.Quat(q[1], q[2], q[3], q[0]), Jolt.EMotionType_Dynamic, 0);
                made.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
                made.mMassPropertiesOverride.mMass = 1;
                // sScale is another function in older versions, and not all have SetDiagonal3.
                const tensor = Jolt.Mat44.prototype.sIdentity();
                for (const [k, axis] of ["SetAxisX", "SetAxisY", "SetAxisZ"].entries()) {
                    tensor[axis](new Jolt.Vec3(...moments.map((moment, i) => i === k ? moment : 0)));
                }
                made.mMassPropertiesOverride.mInertia = tensor;
                if (setting === "recommended") {
                    [made.mApplyGyroscopicForce, made.mAllowSleeping] = [true, false];
                    [made.mAngularDamping, made.mMaxAngularVelocity] = [0, NO_LIMIT];
                }
                const body = bodies.CreateBody(made), id = body.GetID();
                bodies.AddBody(id, Jolt.EActivation_Activate);
                body.SetAngularVelocity(new Jolt.Vec3(...w));
                const read = (v) => [v.GetX(), v.GetY(), v.GetZ()];
                return {
                    step(torque) {
                        if (torque) bodies.AddTorque(id, new Jolt.Vec3(...torque), Jolt.EActivation_Activate);
                        jolt.Step(h, 1);
                    },
                    get() {
                        const turned = body.GetRotation();
                        return [[turned.GetW(), ...read(turned)], read(body.GetAngularVelocity())];
                    },
                    free() {
                        bodies.RemoveBody(id);
                        bodies.DestroyBody(id);
                    },
                };
            };
        },
    },
    cannon: {
        package: "cannon-es",
        settings: {
            default: "as cannon-es comes: angular damping 0.01 (the rate is multiplied by 0.99 each second); no gyroscopic term",
            recommended: "no damping; there is no switch for the gyroscopic term",
        },
        async load() {
            const CANNON = require(this.package);
            return (moments, q, w, h, setting) => {
                const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) });
                const body = new CANNON.Body({ mass: 1, ...(setting === "recommended" ? { angularDamping: 0 } : {}) });
                body.inertia.set(...moments);
                body.invInertia.set(...moments.map((a) => 1 / a));
                body.quaternion.set(q[1], q[2], q[3], q[0]);
                body.angularVelocity.set(...w);
                world.addBody(body);
                body.updateInertiaWorld(true);
                return {
                    step(torque) {
                        if (torque) body.torque.set(...torque);
                        world.step(h);
                    },
                    get: () => [quaternion(body.quaternion), vector(body.angularVelocity)],
                };
            };
        },
    },
    havok: {
        package: "@babylonjs/havok",
        settings: {
            default: "as Havok comes: angular damping 0.1/s, ideal step 1/60 s, rates held below 100 rad/s; no gyroscopic term",
            recommended: "no damping, ideal step that of the problem, no limit of the rate; there is no switch for the gyroscopic term",
        },
        async load() {
            const wasmBinary = readFileSync(join(folder(this.package), "lib/esm/HavokPhysics.wasm"));
            const havok = await (await load(this.package, "lib/esm/HavokPhysics_es.js"))({ wasmBinary });
            return (moments, q, w, h, setting) => {
                const world = havok.HP_World_Create()[1], body = havok.HP_Body_Create()[1];
                havok.HP_World_SetGravity(world, [0, 0, 0]);
                havok.HP_Body_SetMotionType(body, havok.MotionType.DYNAMIC);
                havok.HP_Body_SetMassProperties(body, [[0, 0, 0], 1, moments, [0, 0, 0, 1]]);
                if (setting === "recommended") {
                    havok.HP_World_SetIdealStepTime(world, h);
                    // Versions before 1.3 have none to set.
                    havok.HP_World_SetSpeedLimit?.(world, NO_LIMIT, NO_LIMIT);
                    havok.HP_Body_SetAngularDamping(body, 0);
                    havok.HP_Body_SetActivationControl(body, havok.ActivationControl.ALWAYS_ACTIVE);
                }
                havok.HP_World_AddBody(world, body, false);
                havok.HP_Body_SetQTransform(body, [[0, 0, 0], [q[1], q[2], q[3], q[0]]]);
                havok.HP_Body_SetAngularVelocity(body, w);
                return {
                    step(torque) {
                        if (torque) havok.HP_Body_ApplyAngularImpulse(body, torque.map((a) => a * h));
                        havok.HP_World_Step(world, h);
                    },
                    get() {
                        const [x, y, z, scalar] = havok.HP_Body_GetOrientation(body)[1];
                        return [[scalar, x, y, z], havok.HP_Body_GetAngularVelocity(body)[1]];
                    },
                    free() {
                        havok.HP_World_RemoveBody(world, body);
                        havok.HP_Body_Release(body);
                        havok.HP_World_Release(world);
                    },
                };
            };
        },
    },
    ammo: bullet("ammo.js", "ammo.js", {
        default: "as this build of Bullet comes: the gyroscopic term implicit; sleep",
        recommended: "no sleep",
    }),
    ammo_typed: bullet("ammojs-typed", "ammo/ammo.js", {
        default: "as this build of Bullet comes: no gyroscopic term; sleep",
        recommended: "no sleep, flag 2: the gyroscopic term, explicit",
    }, 2),
    physx: {
        package: "physx-js-webidl",
        settings: {
            default: "as PhysX comes: no gyroscopic term, angular damping 0.05/s, rates held below 100 rad/s; sleep",
            recommended: "eENABLE_GYROSCOPIC_FORCES, no damping, no limit of the rate, no sleep",
        },
        async load() {
            const wasmBinary = readFileSync(join(folder(this.package), "physx-js-webidl.wasm"));
            const start = await load(this.package, "physx-js-webidl.mjs");
            const PhysX = await asInABrowser(() => start({ wasmBinary, print() {}, printErr() {} }));
            const version = PhysX.PHYSICS_VERSION;
            const foundation = PhysX.CreateFoundation(version, new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
            const physics = PhysX.CreatePhysics(version, foundation, new PhysX.PxTolerancesScale());
            const about = new PhysX.PxSceneDesc(physics.getTolerancesScale());
            about.gravity = new PhysX.PxVec3(0, 0, 0);
            about.cpuDispatcher = PhysX.DefaultCpuDispatcherCreate(0);
            about.filterShader = PhysX.DefaultFilterShader();
            const scene = physics.createScene(about);
            return (moments, q, w, h, setting) => {
                const pose = new PhysX.PxTransform(new PhysX.PxVec3(0, 0, 0), new PhysX.PxQuat(q[1], q[2], q[3], q[0]));
                const body = physics.createRigidDynamic(pose);
                body.setMass(1);
                body.setMassSpaceInertiaTensor(new PhysX.PxVec3(...moments));
                if (setting === "recommended") {
                    // The bindings have no name for eENABLE_GYROSCOPIC_FORCES of PxRigidBodyFlag.
                    body.setRigidBodyFlag(1 << 10, true);
                    body.setAngularDamping(0);
                    body.setMaxAngularVelocity(NO_LIMIT);
                    body.setSleepThreshold(0);
                }
                body.setAngularVelocity(new PhysX.PxVec3(...w));
                scene.addActor(body);
                return {
                    step(torque) {
                        if (torque) body.addTorque(new PhysX.PxVec3(...torque));
                        scene.simulate(h);
                        scene.fetchResults(true);
                    },
                    get: () => [quaternion(body.getGlobalPose().q), vector(body.getAngularVelocity())],
                    free() {
                        scene.removeActor(body);
                        body.release();
                    },
                };
            };
        },
    },
    oimo: {
        package: "oimo",
        torque: false,
        settings: {
            default: "as oimo comes: no gyroscopic term; sleep",
            recommended: "no sleep; there is no switch for the gyroscopic term",
        },
        async load() {
            const OIMO = require(this.package);
            return (moments, q, w, h, setting) => {
                const world = new OIMO.World({ timestep: h, gravity: [0, 0, 0], random: false });
                const body = world.add({ type: "sphere", size: [0.1, 0.1, 0.1], move: true });
                moments.forEach((a, i) => {
                    body.localInertia.elements[4 * i] = a;
                    body.inverseLocalInertia.elements[4 * i] = 1 / a;
                });
                body.orientation.set(q[1], q[2], q[3], q[0]);
                body.angularVelocity.set(...w);
                body.allowSleep = setting === "default";
                body.syncShapes();
                return {
                    step: () => world.step(),
                    get: () => [quaternion(body.orientation), vector(body.angularVelocity)],
                };
            };
        },
    },
};

/** Returns an engine that is a build of Bullet, with the flags that its recommended setting has. */
function bullet(name, file, settings, flags) {
    return {
        package: name,
        settings,
        async load() {
            const made = require(join(folder(name), file));
            const Ammo = typeof made === "function" ? await made.call({}, {}) : made;
            const make = (v) => new Ammo.btVector3(...v);
            const settled = new Ammo.btDefaultCollisionConfiguration();
            const world = new Ammo.btDiscreteDynamicsWorld(new Ammo.btCollisionDispatcher(settled), new Ammo.btDbvtBroadphase(),
                new Ammo.btSequentialImpulseConstraintSolver(), settled);
            world.setGravity(make([0, 0, 0]));
            return (moments, q, w, h, setting) => {
                const pose = new Ammo.btTransform();
                pose.setIdentity();
                pose.setRotation(new Ammo.btQuaternion(q[1], q[2], q[3], q[0]));
                const about = new Ammo.btRigidBodyConstructionInfo(1, new Ammo.btDefaultMotionState(pose),
                    new Ammo.btSphereShape(0.1), make(moments));
                const body = new Ammo.btRigidBody(about);
                if (setting === "recommended") {
                    if (flags) body.setFlags(flags);
                    body.setActivationState(4); // DISABLE_DEACTIVATION
                }
                body.setAngularVelocity(make(w));
                world.addRigidBody(body);
                const read = (v) => [v.x(), v.y(), v.z()];
                return {
                    step(torque) {
                        if (torque) body.applyTorque(make(torque));
                        world.stepSimulation(h, 0);
                    },
                    get() {
                        const turned = body.getWorldTransform().getRotation();
                        return [[turned.w(), ...read(turned)], read(body.getAngularVelocity())];
                    },
                    free: () => world.removeRigidBody(body),
                };
            };
        },
    };
}

/** Runs `start` where a module that refuses Node sees a browser. */
async function asInABrowser(start) {
    const versions = Object.getOwnPropertyDescriptor(process, "versions");
    Object.defineProperty(process, "versions", { value: {}, configurable: true });
    globalThis.window = globalThis;
    try {
        return await start();
    } finally {
        Object.defineProperty(process, "versions", versions);
        delete globalThis.window;
    }
}

function refuse(message) {
    console.error(`npm_solver.mjs: ${message}`);
    process.exit(2);
}

const [name, option, setting = "default"] = process.argv.slice(2);
const engine = ENGINES[name] ?? refuse(`the first argument is an engine, one of ${Object.keys(ENGINES).join(", ")}`);
if (!existsSync(folder(engine.package))) refuse(`${name} is not installed in ${packages}; scripts/adapters/install npm does it`);
if (option === "--settings") {
    const { version } = JSON.parse(readFileSync(join(folder(engine.package), "package.json"), "utf8"));
    console.log(JSON.stringify({ version: `${engine.package} ${version}`, settings: engine.settings }));
    process.exit(0);
}
if (option !== undefined && option !== "--setting") refuse(`unknown option ${option}; there are --setting and --settings`);
if (!(setting in engine.settings)) refuse(`no setting ${setting}; there are ${Object.keys(engine.settings).join(", ")}`);

// Engines print banners on standard output, which is for rows alone.
console.log = console.info = console.warn = console.error;
const make = await engine.load();
for (const problem of problems()) {
    const free = problem.model === "none";
    if (!free && engine.torque === false) {
        problem.skip(`${name} takes no torque`);
        continue;
    }
    const start = product(problem.quaternion, problem.axes);
    const body = make(problem.moments, start, toSpace(problem.quaternion, problem.rate), problem.step, setting);
    const [scalar, ...rest] = problem.axes;
    const back = [scalar, ...rest.map((a) => -a)];
    let n = 0;
    for (const t of problem.times) {
        for (; n < problem.stepOf(t); n++) {
            let torque = null;
            if (!free) {
                const [q, w] = body.get();
                const attitude = product(q, back);
                torque = toSpace(attitude, problem.torque(problem.start + n * problem.step, attitude, toBody(attitude, w)));
            }
            body.step(torque);
        }
        problem.writePrincipal(problem.start + n * problem.step, ...body.get());
    }
    body.free?.();
}
