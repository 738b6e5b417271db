/** Parts that a transfer needs beside the bench. Loaded with the first transfer. */
import {
  crc32,
  endNotice,
  type FileOffer,
  type FileStore,
  type IncomingFile,
  receiveFiles,
  SessionLink,
  sendFiles,
  startNotice,
} from '@wirebench/serial/transfer';
import type { ReceivedFile } from '../../../protocol/bench/job-part.ts';

/** Bytes collected before they become a blob, which the browser may move to the disk. */
const PIECE_BYTES = 1 << 20;
/** Interrupted files that are kept; the oldest is dropped first. */
const MAX_PARTS = 4;

/**
 * Files that boards send, as they arrive. Parts of an interrupted ZMODEM transfer are kept, so that the next one can
 * continue them.
 */
export class PartialFiles {
  readonly #parts = new Map<string, Blob>();

  take(offer: FileOffer): Blob | null {
    const key = keyOf(offer);
    const part = this.#parts.get(key) ?? null;
    this.#parts.delete(key);
    return part;
  }

  keep(offer: FileOffer, part: Blob): void {
    this.#parts.set(keyOf(offer), part);
    const [oldest] = this.#parts.keys();
    if (this.#parts.size > MAX_PARTS && oldest !== undefined) {
      this.#parts.delete(oldest);
    }
  }
}

/** A file is the same one if name, size and time agree; the sender's CRC decides about its bytes. */
function keyOf({ name, size, modified }: FileOffer): string {
  return `${name}\0${size}\0${modified}`;
}

/** @param partials Null for protocols that cannot resume. */
export function receivedFiles(partials: PartialFiles | null): FileStore & { readonly whole: readonly ReceivedFile[] } {
  const whole: ReceivedFile[] = [];
  return {
    whole,
    open: async (offer) => incoming(offer, partials, (content) => whole.push({ name: offer.name, content })),
  };
}

function incoming(offer: FileOffer, partials: PartialFiles | null, done: (content: Blob) => void): IncomingFile {
  let before = partials?.take(offer) ?? null;
  let blobs: Blob[] = before === null ? [] : [before];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let pending = 0;
  return {
    kept: before?.size ?? 0,
    keptCrc: () => crcOf(before ?? new Blob()),
    restart: () => {
      before = null;
      blobs = [];
    },
    write: (bytes) => {
      pieces.push(bytes.slice());
      pending += bytes.length;
      if (pending >= PIECE_BYTES) {
        blobs.push(new Blob(pieces));
        pieces = [];
        pending = 0;
      }
    },
    close: (isWhole) => {
      const content = new Blob([...blobs, ...pieces], { type: 'application/octet-stream' });
      if (isWhole) {
        done(content);
      } else if (content.size > 0) {
        partials?.keep(offer, content);
      }
    },
  };
}

async function crcOf(blob: Blob): Promise<number> {
  let crc = 0;
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    crc = crc32(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()), crc);
  }
  return crc;
}

export const protocols = {
  receiveFiles,
  sendFiles,
  PartialFiles,
  receivedFiles,
  SessionLink,
  endNotice,
  startNotice,
} as const;
