/** Files in memory, to send and to receive. */
import { crc32 } from '../crc.ts';
import type { FileOffer, FileStore, OutgoingFile } from '../transfer-types.ts';

export function outgoing(name: string, bytes: Uint8Array, modified: number | null = 1_700_000_000_000): OutgoingFile {
  return { name, size: bytes.length, modified, read: async (from, to) => bytes.slice(from, to) };
}

interface StoredFile {
  readonly offer: FileOffer;
  bytes: Uint8Array;
  isWhole: boolean | null;
}

export interface MemoryStore extends FileStore {
  readonly files: StoredFile[];
}

/** @param kept Parts of files that are there before, by name. */
export function memoryStore(kept: Readonly<Record<string, Uint8Array>> = {}): MemoryStore {
  const files: StoredFile[] = [];
  return {
    files,
    open: async (offer) => {
      const file: StoredFile = { offer, bytes: kept[offer.name]?.slice() ?? new Uint8Array(), isWhole: null };
      files.push(file);
      return {
        kept: file.bytes.length,
        keptCrc: async () => crc32(file.bytes),
        restart: () => {
          file.bytes = new Uint8Array();
        },
        write: (bytes) => {
          const whole = new Uint8Array(file.bytes.length + bytes.length);
          whole.set(file.bytes);
          whole.set(bytes, file.bytes.length);
          file.bytes = whole;
        },
        close: (isWhole) => {
          file.isWhole = isWhole;
        },
      };
    },
  };
}
