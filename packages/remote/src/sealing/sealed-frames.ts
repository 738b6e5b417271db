/**
 * Seals and opens frames under one key in one direction. Frames are numbered from 0, sealed in order and opened in
 * order. The number is the nonce, so a nonce is never used twice under a key. Only one `Sealer` may use a key.
 *
 * Byte 0 is the type, bytes 1 to 4 name the key, bytes 5 to 8 are the number, both little-endian. The sealed bytes
 * and a tag of 16 bytes follow. The first nine bytes are authenticated.
 */
import { joined } from '@wirebench/port/bytes';
import { RemoteError } from '../remote-failure.ts';
import type { Cipher } from './sealing-crypto.ts';

const sealedHeaderLength = 9;
/** Bytes of header and tag. */
const sealedOverhead = sealedHeaderLength + 16;
/**
 * Maximum number of frames that one key may seal. NIST SP 800-38D, section 8.3, limits nonces that may repeat; the
 * limit of a counter is its width.
 */
const frameLimit = 0xffff_ffff;

/** Returns the key that a frame names, and the frame's number; null if the frame is too short. */
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

  /** @param key 32-bit name of the key for the other side, not the key itself. */
  constructor(cipher: Cipher, type: number, key: number, limit = frameLimit) {
    this.#cipher = cipher;
    this.#type = type;
    this.#key = key;
    this.#limit = limit;
  }

  /** Number of the next frame. */
  get next(): number {
    return this.#next;
  }

  /**
   * Seals a frame. The number is assigned at the call, before anything is awaited.
   *
   * @throws RemoteError with `exhausted`.
   */
  async seal(plain: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#next >= this.#limit) {
      throw new RemoteError('exhausted');
    }
    const header = new Uint8Array(sealedHeaderLength);
    const view = new DataView(header.buffer);
    view.setUint8(0, this.#type);
    view.setUint32(1, this.#key, true);
    view.setUint32(5, this.#next++, true);
    return joined(header, await this.#cipher.seal(nonceOf(header), header, plain));
  }
}

export class Opener {
  readonly #cipher: Cipher;
  readonly key: number;
  #next: number;

  /** @param next Number of the first frame that is accepted. */
  constructor(cipher: Cipher, key: number, next = 0) {
    this.#cipher = cipher;
    this.key = key;
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /**
   * Opens the next frame. Frames must be passed one at a time, in the order of arrival. A failure does not change
   * which frame is accepted next.
   *
   * @throws RemoteError `replayed` for an earlier number, `lost-frame` for a later one, `forged` for a frame that
   *   this key did not seal, `malformed` for anything else.
   */
  async open(frame: Uint8Array): Promise<Uint8Array> {
    const plain = await this.#openAt(frame, (number) => number === this.#next);
    this.#next++;
    return plain;
  }

  /** Opens a frame as `open` does, but frames before it may have been lost. For frames that can be asked for again. */
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
