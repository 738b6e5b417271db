/**
 * Frames under one key in one direction: numbered from 0, sealed in order, opened in order. The number is the nonce, so no nonce is
 * ever used twice under a key, and a key never seals in two places. Knows nothing of what is sealed.
 *
 * Byte 0 is the type, bytes 1 to 4 say which key, bytes 5 to 8 are the number, both little-endian; then the sealed bytes and the
 * tag of 16. The first nine are authenticated.
 */
import { RemoteError } from '../remote-failure.ts';
import type { Cipher } from './sealing-crypto.ts';

const sealedHeaderLength = 9;
/** Header and tag. */
const sealedOverhead = sealedHeaderLength + 16;
/** Frames that one key may seal. NIST SP 800-38D, section 8.3, has the limit for nonces that may repeat; a counter's is its width. */
const frameLimit = 0xffff_ffff;

/** Which key a frame names and the number of the frame; null for what is too short. */
export function readSealedHeader(frame: Uint8Array): { readonly key: number; readonly number: number } | null {
  if (frame.length < sealedOverhead) {
    return null;
  }
  const view = new DataView(frame.buffer, frame.byteOffset);
  return { key: view.getUint32(1, true), number: view.getUint32(5, true) };
}

function nonceOf(header: Uint8Array): Uint8Array {
  const nonce = new Uint8Array(12);
  nonce.set(header.subarray(1, sealedHeaderLength));
  return nonce;
}

export class Sealer {
  readonly #cipher: Cipher;
  readonly #type: number;
  readonly #key: number;
  readonly #limit: number;
  #next = 0;

  /** @param key 32 bits that tell the other side which key this is. */
  constructor(cipher: Cipher, type: number, key: number, limit = frameLimit) {
    this.#cipher = cipher;
    this.#type = type;
    this.#key = key;
    this.#limit = limit;
  }

  /** The number of the next frame. */
  get next(): number {
    return this.#next;
  }

  /** The number is taken at the call. @throws RemoteError with `exhausted`. */
  async seal(plain: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#next >= this.#limit) {
      throw new RemoteError('exhausted');
    }
    const header = new Uint8Array(sealedHeaderLength);
    const view = new DataView(header.buffer);
    view.setUint8(0, this.#type);
    view.setUint32(1, this.#key, true);
    view.setUint32(5, this.#next++, true);
    const sealed = await this.#cipher.seal(nonceOf(header), header, plain);
    const frame = new Uint8Array(header.length + sealed.length);
    frame.set(header);
    frame.set(sealed, header.length);
    return frame;
  }
}

export class Opener {
  readonly #cipher: Cipher;
  readonly key: number;
  #next: number;

  /** @param next the number of the first frame that is accepted. */
  constructor(cipher: Cipher, key: number, next = 0) {
    this.#cipher = cipher;
    this.key = key;
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /**
   * One frame at a time, in the order of arrival.
   * @throws RemoteError: `replayed` for a number that was there before, `lost-frame` for one that is not next, `forged` for a frame
   * that was not sealed so, `malformed` for what is none. None of them changes what is accepted next.
   */
  async open(frame: Uint8Array): Promise<Uint8Array> {
    const plain = await this.#openAt(frame, (number) => number === this.#next);
    this.#next++;
    return plain;
  }

  /** The same, but frames may have been lost before this one: for what can be asked for again. */
  async openLater(frame: Uint8Array): Promise<Uint8Array> {
    const plain = await this.#openAt(frame, () => true);
    this.#next = (readSealedHeader(frame)?.number ?? this.#next) + 1;
    return plain;
  }

  async #openAt(frame: Uint8Array, isNext: (number: number) => boolean): Promise<Uint8Array> {
    const header = readSealedHeader(frame);
    if (header === null || header.key !== this.key) {
      throw new RemoteError('malformed');
    }
    if (header.number < this.#next) {
      throw new RemoteError('replayed');
    }
    if (!isNext(header.number)) {
      throw new RemoteError('lost-frame');
    }
    const authenticated = frame.subarray(0, sealedHeaderLength);
    const plain = await this.#cipher.open(nonceOf(authenticated), authenticated, frame.subarray(sealedHeaderLength));
    if (plain === null) {
      throw new RemoteError('forged');
    }
    return plain;
  }
}
