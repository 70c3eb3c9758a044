import type { Vm } from '../domain/target.js';

/** Remembers identifiers that VMs lose by a failover or move: one that is gone, while a new one of the same name has come, has moved. */
export class Moves {
  #before: ReadonlyMap<string, Vm> = new Map();
  /** The identifiers that a VM had before, by the one that it has now. */
  readonly #formerly = new Map<string, readonly string[]>();

  /** The same VMs with what they were before. `vms` must be all there are: a VM that is not among them is taken to be gone. */
  follow(vms: readonly Vm[]): readonly Vm[] {
    const now = new Map(vms.map((vm) => [vm.vmIdentifier, vm] as const));
    const come = vms.filter((vm) => !this.#before.has(vm.vmIdentifier));
    for (const gone of this.#before.values()) {
      if (now.has(gone.vmIdentifier)) continue;
      const [heir, other] = come.filter((vm) => vm.name === gone.name && !this.#formerly.has(vm.vmIdentifier));
      if (heir === undefined || other !== undefined) continue;
      const chain = [gone.vmIdentifier, ...(this.#formerly.get(gone.vmIdentifier) ?? [])];
      this.#formerly.set(heir.vmIdentifier, chain);
    }
    this.#before = now;
    return this.known(vms);
  }

  /** What is remembered already; for a list that is not complete. */
  known(vms: readonly Vm[]): readonly Vm[] {
    if (this.#formerly.size === 0) return vms;
    return vms.map((vm) => {
      const formerly = this.#formerly.get(vm.vmIdentifier);
      return formerly === undefined ? vm : { ...vm, formerly };
    });
  }
}
