/** Reads the roles of a user from a token's claims. The token itself is decoded elsewhere. */

/** Path of Keycloak's realm roles. */
export const defaultRolesClaim = 'realm_access.roles';

/**
 * Returns the roles at `path` of a token's claims, which hold a list of names or a single name. Null if there are
 * none.
 *
 * @param path Keys separated by dots. A key that contains dots itself is found too
 *   (`https://bench.example.org/roles`).
 */
export function rolesAt(claims: Readonly<Record<string, unknown>>, path: string): readonly string[] | null {
  const value = claimAt(claims, path);
  // Keycloak's own claim is always a list, so a text at its path is not Keycloak's.
  if (typeof value === 'string' && value !== '' && path !== defaultRolesClaim) {
    return [value];
  }
  return Array.isArray(value) ? value.filter((role) => typeof role === 'string') : null;
}

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
