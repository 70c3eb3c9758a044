import { z } from 'zod';

const roles = z.object({ roles: z.array(z.string().max(200)).max(500) });
const CLAIMS = z.object({
  realm_access: roles.optional(),
  resource_access: z.record(z.string(), roles).optional(),
});

/** The roles that a JWT of Keycloak names, without those that every account has; undefined for anything else. It is read, not verified. */
export function rolesOf(token: string): readonly string[] | undefined {
  const claims = CLAIMS.safeParse(payloadOf(token)).data;
  if (claims?.realm_access === undefined && claims?.resource_access === undefined) return undefined;
  const all = [claims.realm_access, ...Object.values(claims.resource_access ?? {})].flatMap(
    (each) => each?.roles ?? [],
  );
  return [...new Set(all)].filter((role) => !/^(default-roles-|offline_access$|uma_)/.test(role)).sort();
}

function payloadOf(token: string): unknown {
  const [, payload, signature, more] = token.split('.');
  if (payload === undefined || signature === undefined || more !== undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
