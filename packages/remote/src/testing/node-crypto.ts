/**
 * The same algorithms by Node's synchronous functions, because under a virtual clock no code may wait for a thread of
 * the machine. Random bytes are the same for each seed. `sealing.test.ts` compares it with WebCrypto.
 */
import { createCipheriv, createDecipheriv, createECDH, createHash, createHmac, hkdfSync } from 'node:crypto';
import type { SealingCrypto } from '../sealing/sealing-crypto.ts';

const tagLength = 16;

/** Called with each nonce that is used to seal. */
export type SealWatch = (key: Uint8Array, nonce: Uint8Array) => void;

export function nodeCrypto(seed: number, onSeal: SealWatch = () => undefined): SealingCrypto {
  let drawn = 0;
  const random = (length: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 32) {
      bytes.set(
        createHash('sha256')
          .update(`${seed} ${drawn++}`)
          .digest()
          .subarray(0, length - at),
        at,
      );
    }
    return bytes;
  };
  return {
    random,
    sha256: async (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
    hmac: async (key, bytes) => new Uint8Array(createHmac('sha256', key).update(bytes).digest()),
    hkdf: async (secret, salt, info, length) => new Uint8Array(hkdfSync('sha256', secret, salt, info, length)),
    async exchange() {
      const half = createECDH('prime256v1');
      half.setPrivateKey(Uint8Array.of(1, ...random(31)));
      return {
        publicKey: new Uint8Array(half.getPublicKey()),
        derive: async (other) => new Uint8Array(half.computeSecret(other)),
      };
    },
    cipher: async (key) => ({
      async seal(nonce, header, plain) {
        onSeal(key, nonce);
        const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header);
        return new Uint8Array(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
      },
      async open(nonce, header, sealed) {
        const end = sealed.length - tagLength;
        const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(header).setAuthTag(sealed.subarray(end));
        try {
          return new Uint8Array(Buffer.concat([cipher.update(sealed.subarray(0, end)), cipher.final()]));
        } catch {
          return null;
        }
      },
    }),
  };
}
