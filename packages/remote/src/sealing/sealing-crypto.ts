/** The part of WebCrypto that sealing needs, with bytes as keys. */

/** AES-256-GCM under one key. A tag of 16 bytes follows the sealed bytes. */
export interface Cipher {
  /** @param nonce 12 bytes, never the same twice under one key. */
  seal(nonce: Uint8Array, header: Uint8Array, plain: Uint8Array): Promise<Uint8Array>;
  /** Returns null if the header or the sealed bytes were changed. */
  open(nonce: Uint8Array, header: Uint8Array, sealed: Uint8Array): Promise<Uint8Array | null>;
}

/** One half of an elliptic-curve exchange on P-256. */
export interface Exchange {
  /** The public point, uncompressed: 65 bytes. */
  readonly publicKey: Uint8Array;
  /** Derives the 32 bytes that both sides share. Rejects if `other` is not a point of the curve. */
  derive(other: Uint8Array): Promise<Uint8Array>;
}

export interface SealingCrypto {
  random(length: number): Uint8Array<ArrayBuffer>;
  sha256(bytes: Uint8Array): Promise<Uint8Array>;
  hmac(key: Uint8Array, bytes: Uint8Array): Promise<Uint8Array>;
  /** HKDF with SHA-256 (RFC 5869). */
  hkdf(secret: Uint8Array, salt: Uint8Array, info: string, length: number): Promise<Uint8Array>;
  exchange(): Promise<Exchange>;
  cipher(key: Uint8Array): Promise<Cipher>;
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const;
const sharedBits = 256;

/** Narrows the type only: WebCrypto rejects views of shared memory, and no bytes here are shared. */
const own = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

/** WebCrypto of the page, the worker or Node. */
export const webCrypto: SealingCrypto = {
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', own(bytes))),
  async hmac(key, bytes) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const imported = await crypto.subtle.importKey('raw', own(key), algorithm, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, own(bytes)));
  },
  async hkdf(secret, salt, info, length) {
    const imported = await crypto.subtle.importKey('raw', own(secret), 'HKDF', false, ['deriveBits']);
    const parameters = { name: 'HKDF', hash: 'SHA-256', salt: own(salt), info: new TextEncoder().encode(info) };
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, imported, length * 8));
  },
  async exchange() {
    const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits']);
    return {
      publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)),
      async derive(other) {
        const imported = await crypto.subtle.importKey('raw', own(other), curve, false, []);
        const parameters = { name: 'ECDH', public: imported };
        return new Uint8Array(await crypto.subtle.deriveBits(parameters, pair.privateKey, sharedBits));
      },
    };
  },
  async cipher(key) {
    const imported = await crypto.subtle.importKey('raw', own(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
    const parameters = (nonce: Uint8Array, header: Uint8Array) => ({
      name: 'AES-GCM',
      iv: own(nonce),
      additionalData: own(header),
    });
    return {
      seal: async (nonce, header, plain) =>
        new Uint8Array(await crypto.subtle.encrypt(parameters(nonce, header), imported, own(plain))),
      open: (nonce, header, sealed) =>
        crypto.subtle.decrypt(parameters(nonce, header), imported, own(sealed)).then(
          (plain) => new Uint8Array(plain),
          () => null,
        ),
    };
  },
};
