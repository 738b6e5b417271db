/** A signed-in session as stored between pages: plain data. */
import type { UserInfo } from './user-info.ts';

export interface Session {
  readonly accessToken: string;
  /** Null if the provider issues none. The session then ends with its access token. */
  readonly refreshToken: string | null;
  /** Identifies the session to the provider at sign-out. */
  readonly idToken: string | null;
  /** Expiry of the access token, in milliseconds since the Unix epoch by this machine's clock. */
  readonly expiresAt: number;
  readonly user: UserInfo;
}

/**
 * Returns the session in `text`, or null if it is invalid, because the user or an extension may change local storage.
 */
export function parseSession(text: string | null): Session | null {
  if (text === null) {
    return null;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
  return isSession(value) ? value : null;
}

function isSession(value: unknown): value is Session {
  if (!isRecord(value) || !isRecord(value['user'])) {
    return false;
  }
  const user = value['user'];
  return (
    typeof value['accessToken'] === 'string' &&
    isTextOrNull(value['refreshToken']) &&
    isTextOrNull(value['idToken']) &&
    typeof value['expiresAt'] === 'number' &&
    typeof user['name'] === 'string' &&
    isTextOrNull(user['email']) &&
    isTextOrNull(user['picture']) &&
    Array.isArray(user['roles']) &&
    user['roles'].every((role) => typeof role === 'string')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
