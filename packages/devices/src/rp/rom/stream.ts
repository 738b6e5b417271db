/**
 * A transfer in chunks: a page of flash for PICOBOOT, a sector for the drive. The chunk's owner is asked at the start
 * of a chunk (IN) or at its end (OUT), and may answer later.
 */
import { type Endpoint, packetSize, Transfer } from './endpoint.ts';

interface StreamOptions {
  /** Bytes of a chunk, a multiple of 64. */
  readonly chunk: Uint8Array;
  /** Bytes of the whole transfer. */
  readonly length: number;
  /** Returns true if the chunk is finished later, by `chunkDone`. */
  readonly onChunk: (length: number) => boolean;
  readonly onPacketDone?: () => void;
  readonly onDone: () => void;
}

export class Stream {
  readonly endpoint: Endpoint;
  readonly transfer: Transfer;
  readonly #options: StreamOptions;
  #offset = 0;

  constructor(endpoint: Endpoint, options: StreamOptions) {
    this.endpoint = endpoint;
    this.#options = options;
    const packets = Math.ceil(options.length / packetSize);
    this.transfer = new Transfer(packets, () => this.#onPacket(), options.onDone);
  }

  /** Continues after `onChunk` has returned true. */
  chunkDone(): void {
    const { chunk, length, onPacketDone } = this.#options;
    const at = this.#offset % chunk.length;
    if (this.endpoint.isIn) {
      const bytes = Math.max(0, Math.min(packetSize, length - this.#offset));
      this.endpoint.packet = chunk.slice(at, at + bytes);
    }
    this.#offset += this.endpoint.packet.length;
    onPacketDone?.();
    this.endpoint.packetDone();
  }

  #onPacket(): void {
    const { chunk, length, onChunk } = this.#options;
    const at = this.#offset % chunk.length;
    let chunkLength = 0;
    if (this.endpoint.isIn) {
      chunkLength = at === 0 ? Math.min(chunk.length, length - this.#offset) : 0;
    } else {
      if (this.#offset + packetSize >= length) {
        chunkLength = length % chunk.length || chunk.length;
      } else if (at + packetSize >= chunk.length) {
        chunkLength = chunk.length;
      }
      if (at === 0) {
        chunk.fill(0);
      }
      // A host that sends short packets inside a chunk shifts the later ones; bytes beyond the chunk are lost.
      chunk.set(this.endpoint.packet.subarray(0, chunk.length - at), at);
    }
    if (chunkLength > 0 && onChunk(chunkLength)) {
      return;
    }
    this.chunkDone();
  }
}
