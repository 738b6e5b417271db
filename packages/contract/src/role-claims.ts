/** Reads the roles of a user from a token's claims. The token itself is decoded elsewhere. */

/** Path of Keycloak's realm roles. */
export const defaultRolesClaim = 'realm_access.roles';

/** Claims that hold several names in one text. */
const scopeClaim = /\bsc(?:ope|p)$/;

/**
 * Returns the roles at `path` of a token's claims. Null if there are none. Providers write them in three forms:
 * - a list of names;
 * - a text with one name. Only `scope` and `scp` hold several, between blanks (RFC 6749, section 3.3): the blanks of
 *   another claim belong to the name, and `IT admin` must not become `admin`;
 * - an object whose keys are the names (Zitadel: `{ "admin": { "<organisation>": "<domain>" } }`). A key with an
 *   empty list, or with another value than an object or `true`, is not a role.
 *
 * @param path Keys separated by dots. A key that contains dots itself is found too
 *   (`https://bench.example.org/roles`).
 */
export function rolesAt(claims: Readonly<Record<string, unknown>>, path: string): readonly string[] | null {
  const value = claimAt(claims, path);
  if (Array.isArray(value)) {
    return value.filter((role) => typeof role === 'string');
  }
  // Keycloak's own claim is always a list, so any other form at its path is not Keycloak's.
  if (path === defaultRolesClaim) {
    return null;
  }
  if (typeof value === 'string') {
    const names = scopeClaim.test(path) ? value.split(/\s+/).filter((name) => name !== '') : [value];
    return value.trim() === '' ? null : names;
  }
  return typeof value === 'object' && value !== null
    ? Object.keys(value).filter((role) => isGrant(Reflect.get(value, role)))
    : null;
}

/** Everything else, such as `denied`, grants nothing. */
const isGrant = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'object' ? value !== null : String(value) === 'true';

function claimAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (Object.hasOwn(value, path)) {
    return Reflect.get(value, path);
  }
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(value, head) ? claimAt(Reflect.get(value, head), path.slice(dot + 1)) : undefined;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
