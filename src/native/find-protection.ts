import { counted, quote, visible } from '../domain/text.js';
import { answer, type NativeAnswer } from './answer.js';
import type { NativeDeps } from './deps.js';
import { oneTarget, withinReach } from './resolve.js';

/** Names the one VM and every VPG that protects it. */
export async function findProtection(
  args: { readonly vm: string },
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const { vm } = await oneTarget(args.vm, deps, signal);
  await withinReach(vm, deps, signal);
  const lines = vm.vpgs.map((vpg) => `- VPG ${quote(vpg.name, 100)} at site ${quote(vpg.site, 100)} (${vpg.profile})`);
  const { name, vmIdentifier, site, addresses, vpgs } = vm;
  return answer(
    [`${quote(name, 100)} (${visible(vmIdentifier)}) is protected by ${counted(vpgs.length, 'VPG')}:`, ...lines].join(
      '\n',
    ),
    { vm: { name, vmIdentifier, site, addresses }, vpgs },
  );
}
