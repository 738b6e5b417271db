/** Sessions, tokens and storages for tests. */
import type { TextStorage } from '../storage/browser-storage.ts';
import type { Session } from './session.ts';

export const START = Date.UTC(2026, 10, 20, 12);

export function testSession(changes: Partial<Session> = {}): Session {
  return {
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    idToken: null,
    expiresAt: START + 300_000,
    user: { name: 'mira.k', email: 'mira@wirebench.example', picture: null, roles: [] },
    ...changes,
  };
}

/** Returns a token in the provider's format. Its signature is not checked here. */
export function testToken(claims: Record<string, unknown>): string {
  const part = (value: unknown) =>
    btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  return `${part({ alg: 'RS256' })}.${part(claims)}.signature`;
}

export function testStorage(): TextStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
