interface Entry {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
}
interface Needed {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly optional: boolean;
}
export function packagesOf(lock: { readonly packages: Readonly<Record<string, Entry>> }): readonly Needed[];
export function noticesOf(packages: readonly Needed[], root: string): string;
