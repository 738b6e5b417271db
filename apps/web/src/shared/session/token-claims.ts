/**
 * The signed-in user from the claims of the identity provider's tokens. Only signing in and renewals read them, so no
 * page loads this file at first.
 */
import { defaultRolesClaim, rolesAt } from '@wirebench/contract/constants';
import type { UserInfo } from './user-info.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the claims of a JSON Web Token (RFC 7519) without checking the signature: the server does. Empty for other
 * tokens, because an access token may be opaque.
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
    // Invalid JSON, or invalid Base64.
    if (error instanceof Error && (error.name === 'SyntaxError' || error.name === 'InvalidCharacterError')) {
      return {};
    }
    throw error;
  }
}

/**
 * Reads the identity token first, and missing claims from the access token, which contains Keycloak's realm roles.
 * @param rolesClaim Path of the claim with the roles.
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
