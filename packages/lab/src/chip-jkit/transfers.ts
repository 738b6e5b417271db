/** Registers as transfers on a bus: groups registers for reading and extracts their numbers from the bytes. */
import { type ChipContent, type ChipRegister, chipLimits } from '@wirebench/contract/chips';
import { ChipError } from './chip-error.ts';

/** One transfer on the bus. It writes bytes, then reads after a repeated start (I2C) or in the same selection (SPI). */
export interface ChipTransfer {
  /** 7 bits; null on an SPI bus. */
  readonly address: number | null;
  readonly write: Uint8Array;
  /** Bytes to read, at most `chipLimits.transferBytes`. */
  readonly read: number;
  /** Delay before the transfer, in microseconds. */
  readonly delay: number;
}

/** Transfers and the meaning of their answers. */
export interface ChipJob<Result> {
  readonly transfers: readonly ChipTransfer[];
  /**
   * Calculates the result.
   *
   * @param answers Bytes read by each transfer, in order; empty for a transfer that only writes.
   * @throws ChipError
   */
  readonly value: (answers: readonly Uint8Array[]) => Result;
}

/** Raw numbers of registers by name. */
export type RegisterValues = ReadonlyMap<string, bigint>;

/**
 * Bytes that one transfer reads. `start` and `end` are addresses in a sequence, or offsets in the answer of a single
 * register.
 */
interface Block {
  readonly register: ChipRegister;
  readonly start: number;
  end: number;
  readonly contents: { readonly register: ChipRegister; readonly position: number }[];
}

/**
 * Reads registers with as few transfers as possible: adjacent ones are read together. Registers outside of the list
 * are never read, because reading may change the chip's state.
 */
export function readRegisters(
  chip: ChipContent,
  address: number | null,
  registers: readonly ChipRegister[],
): ChipJob<RegisterValues> {
  const blocks = blocksOf(chip, registers);
  const steps = blocks.map((block) => readBlock(chip, address, block));
  const transfers = steps.flat();
  return {
    transfers,
    value: (answers) => {
      if (answers.length !== transfers.length || transfers.some(({ read }, index) => answers[index]?.length !== read)) {
        throw new ChipError('wrong-answer');
      }
      const values = new Map<string, bigint>();
      let next = 0;
      for (const [index, { contents }] of blocks.entries()) {
        next += steps[index]?.length ?? 0;
        for (const { register, position } of contents) {
          values.set(register.name, numberFrom(answers[next - 1] ?? new Uint8Array(), position, register));
        }
      }
      return values;
    },
  };
}

function blocksOf({ increments }: ChipContent, registers: readonly ChipRegister[]): readonly Block[] {
  const single = new Map<number, Block>();
  const sequence: ChipRegister[] = [];
  for (const register of registers) {
    if (increments && register.wait === 0) {
      sequence.push(register);
      continue;
    }
    const block = single.get(register.address) ?? { register, start: 0, end: 0, contents: [] };
    single.set(register.address, block);
    block.end = Math.max(block.end, register.offset + sizeOf(register));
    block.contents.push({ register, position: register.offset });
  }
  return [...single.values(), ...sequenceBlocks(sequence)];
}

function sequenceBlocks(registers: readonly ChipRegister[]): readonly Block[] {
  const blocks: Block[] = [];
  const inOrder = registers.toSorted((one, other) => startOf(one) - startOf(other) || sizeOf(other) - sizeOf(one));
  for (const register of inOrder) {
    const start = startOf(register);
    const end = start + sizeOf(register);
    const last = blocks.at(-1);
    if (last !== undefined && start <= last.end && end - last.start <= chipLimits.transferBytes) {
      last.end = Math.max(last.end, end);
      last.contents.push({ register, position: start - last.start });
    } else {
      blocks.push({ register, start, end, contents: [{ register, position: 0 }] });
    }
  }
  return blocks;
}

const startOf = ({ address, offset }: ChipRegister) => address + offset;
const sizeOf = ({ width }: ChipRegister) => width / 8;

function readBlock(chip: ChipContent, address: number | null, block: Block): readonly ChipTransfer[] {
  const { register, start, end } = block;
  const isSequence = chip.increments && register.wait === 0;
  const pointer = pointerBytes(chip, isSequence ? start : register.address, 'read');
  const read = end - start;
  // A register with `wait` is a measurement: writing its address starts it, and a second transfer fetches the result.
  return register.wait === 0
    ? [{ address, write: pointer, read, delay: 0 }]
    : [
        { address, write: pointer, read: 0, delay: 0 },
        { address, write: new Uint8Array(), read, delay: register.wait },
      ];
}

/**
 * Writes a register, highest byte first unless its description says otherwise.
 *
 * @param delay Microseconds before the transfer.
 */
export function writeRegister(
  chip: ChipContent,
  address: number | null,
  register: ChipRegister,
  value: bigint,
  delay: number,
): ChipTransfer {
  const size = sizeOf(register);
  const bytes = Array.from({ length: size }, (_, index) => {
    const place = register.order === 'little' ? index : size - 1 - index;
    return Number((value >> BigInt(8 * place)) & 0xffn);
  });
  const write = Uint8Array.from([...pointerBytes(chip, register.address, 'write'), ...bytes]);
  return { address, write, read: 0, delay };
}

/** Encodes a register's address as sent over the bus. */
function pointerBytes({ pointer, bus, spi }: ChipContent, place: number, direction: 'read' | 'write'): Uint8Array {
  if (bus === 'spi') {
    const readBit = spi?.readBit ?? 0x80;
    return Uint8Array.of(direction === 'read' ? place | readBit : place & ~readBit);
  }
  return pointer === 0 ? new Uint8Array() : pointer === 8 ? Uint8Array.of(place) : Uint8Array.of(place >> 8, place);
}

function numberFrom(bytes: Uint8Array, position: number, { width, order, signed }: ChipRegister): bigint {
  const own = bytes.subarray(position, position + width / 8);
  const fromHighest = order === 'little' ? own.toReversed() : own;
  const value = fromHighest.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return signed ? BigInt.asIntN(width, value) : value;
}
