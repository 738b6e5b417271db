/** The bytes of a variable, wherever it is: in memory, in registers, in the expression itself, or here and there. Nothing is copied before it is asked for. */
import type { CoreMemory } from '../core/core-memory.ts';
import type { Place, Unknown } from '../unwind/expression.ts';

export interface Storage {
  /** Exactly `length` bytes from `offset`, or why they are not told. */
  read(offset: number, length: number): Uint8Array | Unknown;
}

/** Larger parts are not asked for; what damage asks for is refused. */
const MOST_BYTES = 64 * 1024;

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

/** Where another one begins inside of it. */
export function within(storage: Storage, start: number): Storage {
  return { read: (offset, length) => storage.read(start + offset, length) };
}

/** Little-endian words, such as registers: what is larger than one goes on in the next. */
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
      for (let index = 0; index < Math.min(length, MOST_BYTES); index++) {
        const byte = byteAt(offset + index);
        if (typeof byte === 'string') {
          return byte;
        }
        found.push(byte);
      }
      return length > MOST_BYTES ? 'operation' : Uint8Array.from(found);
    },
  };
}
