/** The signed-in user as pages show it, read from the claims of the identity provider's tokens. */
import { defaultRolesClaim, rolesAt } from '@wirebench/contract/constants';

export interface UserInfo {
  /** Preferred username, else name. */
  readonly name: string;
  readonly email: string | null;
  /** Address of an image. */
  readonly picture: string | null;
  readonly roles: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims of a JSON Web Token (RFC 7519), unchecked: the server is who checks signatures. An empty record for a token
 * of another kind, since an access token may be opaque.
 */
export function readClaims(token: string): Claims {
  const [, payload] = token.split('.');
  if (payload === undefined) {
    return {};
  }
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch (error) {
    // No JSON, or no base64.
    if (error instanceof Error && (error.name === 'SyntaxError' || error.name === 'InvalidCharacterError')) {
      return {};
    }
    throw error;
  }
}

/**
 * Identity token first; what it lacks is taken from the access token, where Keycloak puts the realm roles. `rolesClaim` is the path of
 * the claim that holds them.
 */
export function userInfoFrom(idClaims: Claims, accessClaims: Claims, rolesClaim = defaultRolesClaim): UserInfo {
  const text = (name: string) => nonEmpty(idClaims[name]) ?? nonEmpty(accessClaims[name]);
  return {
    name: text('preferred_username') ?? text('name') ?? text('email') ?? text('sub') ?? '',
    email: text('email'),
    picture: text('picture'),
    roles: rolesAt(idClaims, rolesClaim) ?? rolesAt(accessClaims, rolesClaim) ?? [],
  };
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** One or two capitals for the avatar: of the first and the last part of the name, or the first two letters of its only part. */
export function initials(name: string): string {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  const [first = '?', ...others] = parts;
  const last = others.at(-1);
  const letters = last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join('').toLocaleUpperCase('en');
}
