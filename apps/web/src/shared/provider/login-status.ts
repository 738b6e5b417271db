/**
 * The provider's login-status check: its addresses, and the local answer. The addresses are Keycloak's, as requested
 * by its adapters. Delays and answer are those of docs/behaviour.md, "Sign-in".
 */
import { staticPages } from '@wirebench/contract/constants';

/** The local page that a login-status frame shows instead of the provider's. */
export const loginStatusPage = staticPages.loginStatus;

export const loginStatusAnswer = { text: 'unchanged', status: 200, contentType: 'text/plain' } as const;

/** In milliseconds. */
export const loginStatusDelay = { request: 10, frame: 50 } as const;

const PATH = /\/protocol\/openid-connect\/login-status-iframe\.html(?:\/init)?$/;

/** Returns true for an address, absolute or relative to this page, of a login-status check. */
export function isLoginStatus(address: string): boolean {
  return PATH.test(URL.parse(address, document.baseURI)?.pathname ?? '');
}
