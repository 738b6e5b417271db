/** Keys that sign demo firmware. Everybody can make them: they are hashes of sentences, and protect nothing. */
import { type PublicKey, publicKeyOf, type Signature, secretOf, sign } from './p256.ts';

export interface SigningKey {
  readonly publicKey: PublicKey;
  sign(message: Uint8Array): Signature;
}

/** The same sentence gives the same key. */
export function signingKey(sentence: string): SigningKey {
  const secret = secretOf(sentence);
  let publicKey: PublicKey | null = null;
  return {
    // A multiplication on the curve takes milliseconds, and most who load this never ask.
    get publicKey() {
      publicKey ??= publicKeyOf(secret);
      return publicKey;
    },
    sign: (message) => sign(secret, message),
  };
}

/** The key whose firmware the simulated boards take unless their options say otherwise. */
export const demoKey = signingKey('Wirebench demo firmware, not a secret');
