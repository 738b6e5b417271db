/** Registers as transfers on a bus: which to read together, and how their numbers come out of the bytes. */
import { type ChipContent, type ChipRegister, chipLimits } from '@wirebench/contract/chips';
import { ChipError } from './chip-error.ts';

/** One transfer on the bus: bytes written, then bytes read after a repeated start (I2C) or in the same selection (SPI). */
export interface ChipTransfer {
  /** 7 bits; null on an SPI bus. */
  readonly address: number | null;
  readonly write: Uint8Array;
  /** Bytes to read, at most `chipLimits.transferBytes`. */
  readonly read: number;
  /** Microseconds waited for before it. */
  readonly delay: number;
}

/** What to do on the bus, and what the answers mean. */
export interface ChipJob<Result> {
  readonly transfers: readonly ChipTransfer[];
  /**
   * @param answers the bytes read by each transfer, in their order; empty for one that only writes
   * @throws ChipError
   */
  readonly value: (answers: readonly Uint8Array[]) => Result;
}

/** Raw numbers of registers by name. */
export type RegisterValues = ReadonlyMap<string, bigint>;

/** Bytes that one transfer brings: from the address on, or from the first byte of what is read there. */
interface Block {
  readonly register: ChipRegister;
  readonly start: number;
  end: number;
  readonly contents: { readonly register: ChipRegister; readonly position: number }[];
}

/**
 * Reads registers with as few transfers as can be: those that follow each other without a gap are read together. What is not in
 * the list is never read, since reading may change what a chip holds.
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
  // A measurement: the address starts it, and the result is fetched by a transfer of its own.
  return register.wait === 0
    ? [{ address, write: pointer, read, delay: 0 }]
    : [
        { address, write: pointer, read: 0, delay: 0 },
        { address, write: new Uint8Array(), read, delay: register.wait },
      ];
}

/** Writes a register, highest byte first unless it says otherwise. @param delay microseconds before it */
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

/** The address of a register as it goes over the bus. */
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
