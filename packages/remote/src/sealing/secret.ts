/** The secret of a shared bench, as it is in the fragment of its link. A browser sends a fragment to no server. */
import { RemoteError } from '../remote-failure.ts';
import type { SealingCrypto } from './sealing-crypto.ts';

/** 256 bits. */
const secretLength = 32;
const secretText = /^[A-Za-z0-9_-]{43}$/;

/** A new secret, as base64url without padding (RFC 4648, section 5). */
export function makeSecret(crypto: Pick<SealingCrypto, 'random'>): string {
  const binary = String.fromCharCode(...crypto.random(secretLength));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws RemoteError with `wrong-key` for what is no secret. */
export function readSecret(text: string): Uint8Array<ArrayBuffer> {
  if (!secretText.test(text)) {
    throw new RemoteError('wrong-key');
  }
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
