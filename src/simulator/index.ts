/** The embedded ZVM: a simulated appliance on loopback HTTPS. It shares nothing with the client that talks to it. */
export { realClock, type VirtualClock, virtualClock } from './clock.js';
export { defaultWorld } from './default-world.js';
export type { Faults } from './faults.js';
export type { Knobs } from './knobs.js';
export type { WorldOptions } from './options.js';
export { type Simulator, type SimulatorOptions, startSimulator } from './start.js';
export { createWorld, type World } from './world.js';
