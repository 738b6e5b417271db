/** Keys for signing demo firmware. They are hashes of public sentences and protect nothing. */
import { type PublicKey, publicKeyOf, type Signature, secretOf, sign } from './p256.ts';

export interface SigningKey {
  readonly publicKey: PublicKey;
  sign(message: Uint8Array): Signature;
}

/** Derives a key from a sentence. Equal sentences give equal keys. */
export function signingKey(sentence: string): SigningKey {
  const secret = secretOf(sentence);
  let publicKey: PublicKey | null = null;
  return {
    // Computed on first use: a multiplication on the curve takes milliseconds, and most users of this module never
    // need it.
    get publicKey() {
      publicKey ??= publicKeyOf(secret);
      return publicKey;
    },
    sign: (message) => sign(secret, message),
  };
}

/** The key whose firmware the simulated boards accept by default. */
export const demoKey = signingKey('Wirebench demo firmware, not a secret');
