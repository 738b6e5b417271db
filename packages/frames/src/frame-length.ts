/** Lengths that frames have in themselves: one number or several, of some of their bits. */
import type { DecoderFraming } from '@wirebench/contract/decoders';
import { readBig, readLittle } from './checksums.ts';

type FrameLength = Extract<DecoderFraming, { kind: 'length' }>['length'];
type LengthNumber = Pick<Exclude<FrameLength, number>, 'at' | 'type' | 'order' | 'mask' | 'multiply'>;

const sizes = { u8: 1, u16: 2, u24: 3, u32: 4 } as const;

const numbersOf = (length: Exclude<FrameLength, number>): readonly LengthNumber[] => [length, ...(length.plus ?? [])];

/** Returns the number of first bytes that have the length. */
export function lengthNeeds(length: FrameLength): number {
  return typeof length === 'number' ? 0 : Math.max(...numbersOf(length).map(({ at, type }) => at + sizes[type]));
}

/** Returns the reader of a length. The bytes that it needs are there. */
export function lengthReader(length: FrameLength): (bytes: Uint8Array, from: number) => number {
  if (typeof length === 'number') {
    return () => length;
  }
  const readers = numbersOf(length).map(numberReader);
  const [read] = readers;
  if (readers.length === 1 && read !== undefined) {
    return (bytes, from) => read(bytes, from) + length.add;
  }
  return (bytes, from) => readers.reduce((sum, one) => sum + one(bytes, from), length.add);
}

function numberReader({ at, type, order, mask, multiply }: LengthNumber): (bytes: Uint8Array, from: number) => number {
  const size = sizes[type];
  const read = order === 'big' ? readBig : readLittle;
  if (mask === undefined) {
    return (bytes, from) => read(bytes, from + at, size) * multiply;
  }
  const lowest = mask & -mask;
  const shift = 31 - Math.clz32(lowest);
  return (bytes, from) => ((read(bytes, from + at, size) & mask) >>> shift) * multiply;
}
