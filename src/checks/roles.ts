import { visible } from '../domain/text.js';
import { about, type Check } from './check.js';

const PINS = /^(admin(istrator)?|builder)$/i;
const RECOVERS = /^admin(istrator)?$|file.?level.?restore|^flr/i;

/**
 * What an account's roles in the realm allow, by the names that appliances ship with. Only making a checkpoint proves that it can; an
 * administrator may have given roles other names.
 */
export function rolesCheck(site: string, roles: readonly string[] | undefined): Check {
  const check = about('site.roles', site);
  if (roles === undefined)
    return check.skip('the token names no roles: --pin VM shows whether the account can make checkpoints');
  const told = roles.length === 0 ? 'none' : roles.map((role) => visible(role)).join(', ');
  const missing = [
    ...(roles.some((role) => PINS.test(role)) ? [] : ['make checkpoints (builder or admin)']),
    ...(roles.some((role) => RECOVERS.test(role)) ? [] : ['recover files (file-level-restore operator or admin)']),
  ];
  if (missing.length === 0) return check.pass(told);
  return check.warn(
    `${told}: no role is known to ${missing.join(' or to ')}`,
    'Give the account these roles in the realm "zerto", or try with --pin VM whether it can.',
  );
}
