/** Where tokens say which roles somebody has. Knows claims, no tokens. */

/** Keycloak's realm roles. */
export const defaultRolesClaim = 'realm_access.roles';

/**
 * The roles at `path` of a token's claims: a list of names, or a single one. Parts of the path are separated by dots, and a name that
 * holds dots itself is found as well (`https://bench.example.org/roles`). Null where there is nothing of the kind.
 */
export function rolesAt(claims: Readonly<Record<string, unknown>>, path: string): readonly string[] | null {
  const value = claimAt(claims, path);
  // Keycloak's is a list, always: a text there is not its own.
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
