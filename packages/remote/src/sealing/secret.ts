/**
 * The secret of a shared bench, as it appears in the fragment of the link. A browser never sends the fragment to a
 * server.
 */
import { RemoteError } from '../remote-failure.ts';
import type { SealingCrypto } from './sealing-crypto.ts';

/** Length of the secret in bytes: 256 bits. */
const secretLength = 32;
const secretText = /^[A-Za-z0-9_-]{43}$/;

/** Makes a new secret, as base64url without padding (RFC 4648, section 5). */
export function makeSecret(crypto: Pick<SealingCrypto, 'random'>): string {
  const binary = String.fromCharCode(...crypto.random(secretLength));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Decodes a secret.
 *
 * @throws RemoteError with `wrong-key` if the text is not a secret.
 */
export function readSecret(text: string): Uint8Array<ArrayBuffer> {
  if (!secretText.test(text)) {
    throw new RemoteError('wrong-key');
  }
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
