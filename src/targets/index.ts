export { type AimOptions, createAim } from './aim.js';
export { type Found, findVm } from './find-vm.js';
export type { VmReference } from './resolve.js';
