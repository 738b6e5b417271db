/**
 * Gives access to the bytes of a variable in memory, in registers, in the expression itself, or in several of these.
 * Bytes are copied only on request.
 */
import type { CoreMemory } from '../core/core-memory.ts';
import type { Place, Unknown } from '../unwind/expression.ts';

export interface Storage {
  /** Returns exactly `length` bytes from `offset`, or the reason why they are unknown. */
  read(offset: number, length: number): Uint8Array | Unknown;
}

/** Maximum size of one read in bytes. Regular reads are smaller; damaged data may request more. */
const MAX_BYTES = 64 * 1024;

export function storageOf(place: Place, registers: readonly (number | undefined)[], memory: CoreMemory): Storage {
  switch (place.kind) {
    case 'address':
      return memoryAt(memory, place.address);
    case 'register':
      return words((index) => registers[place.register + index], 'register');
    case 'value':
      return words((index) => (index === 0 ? place.value : undefined), 'operation');
    case 'bytes':
      return {
        read: (offset, length) =>
          offset + length > place.bytes.length ? 'damaged' : place.bytes.subarray(offset, offset + length),
      };
    case 'pieces':
      return inPieces(
        place.pieces.map((piece) => ({ size: piece.size, storage: storageOf(piece.place, registers, memory) })),
      );
    case 'unknown':
      return { read: () => place.why };
  }
}

export function memoryAt(memory: CoreMemory, address: number): Storage {
  return { read: (offset, length) => memory.read(address + offset, length) ?? 'memory' };
}

/** Returns the part of a storage that begins at `start`. */
export function within(storage: Storage, start: number): Storage {
  return { read: (offset, length) => storage.read(start + offset, length) };
}

/** Returns a storage of little-endian 32-bit words, such as registers; larger values continue in the next word. */
function words(wordAt: (index: number) => number | undefined, otherwise: Unknown): Storage {
  return collected((offset) => {
    const word = wordAt(Math.floor(offset / 4));
    return word === undefined ? otherwise : (word >>> (8 * (offset % 4))) & 0xff;
  });
}

function inPieces(pieces: readonly { readonly size: number; readonly storage: Storage }[]): Storage {
  return collected((offset) => {
    let start = 0;
    for (const { size, storage } of pieces) {
      if (offset < start + size) {
        const byte = storage.read(offset - start, 1);
        return typeof byte === 'string' ? byte : (byte[0] ?? 'damaged');
      }
      start += size;
    }
    return 'damaged';
  });
}

function collected(byteAt: (offset: number) => number | Unknown): Storage {
  return {
    read: (offset, length) => {
      const found: number[] = [];
      for (let index = 0; index < Math.min(length, MAX_BYTES); index++) {
        const byte = byteAt(offset + index);
        if (typeof byte === 'string') {
          return byte;
        }
        found.push(byte);
      }
      return length > MAX_BYTES ? 'operation' : Uint8Array.from(found);
    },
  };
}
