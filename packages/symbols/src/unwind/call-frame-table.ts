/**
 * Reads the table of call frames, which describes how to restore the caller's registers for each function. Sources:
 * DWARF 5, section 6.4; for `.eh_frame` Linux Standard Base 5.0, chapter 10.6, "Exception Frames". Independent of
 * memory contents and tasks.
 */
import { ByteCursor } from '../byte-cursor.ts';
import { pointerEncoding } from '../dwarf/constants.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import { readInitialLength } from '../dwarf/initial-length.ts';
import { lastAtMost } from '../lookup/search.ts';

/** Properties shared by several functions. */
export interface CommonEntry {
  readonly codeAlignment: number;
  readonly dataAlignment: number;
  /** Column with the return address. */
  readonly returnColumn: number;
  readonly instructions: Uint8Array;
  /** Encoding of addresses in `.eh_frame` (`DW_EH_PE_…`). */
  readonly encoding: number;
  readonly hasAugmentation: boolean;
  /** True: frame of a signal handler. Its address is the interrupted instruction, not the one after a call. */
  readonly isSignal: boolean;
  /**
   * Marks entries of Arm Compiler 5, which writes offsets of the CFA in units of the data alignment. Old versions use
   * the opposite sign. Source: GDB, `dwarf2/frame.c`: augmentation `armcc`, with `+` if the sign is right.
   */
  readonly armcc?: 'factored' | 'factored-negated';
}

export interface FrameEntry {
  readonly common: CommonEntry;
  /** First address of the code. */
  readonly start: number;
  /** First address after the code. */
  readonly end: number;
  readonly instructions: Uint8Array;
}

/** `.debug_frame`, and `.eh_frame` with its load address. */
export interface FrameSections {
  readonly debugFrame: Uint8Array;
  readonly ehFrame: { readonly bytes: Uint8Array; readonly address: number } | null;
}

export class CallFrameTable {
  readonly #entries: readonly FrameEntry[];
  readonly #starts: Float64Array;

  constructor(entries: readonly FrameEntry[]) {
    this.#entries = [...entries].sort((a, b) => a.start - b.start);
    this.#starts = Float64Array.from(this.#entries, ({ start }) => start);
  }

  get length(): number {
    return this.#entries.length;
  }

  find(address: number): FrameEntry | undefined {
    const entry = this.#entries[lastAtMost(this.#starts, address, 0, this.#starts.length)];
    return entry !== undefined && address < entry.end ? entry : undefined;
  }
}

/** Reads the entries of each section before its first damaged one. `.debug_frame` takes precedence over `.eh_frame`. */
export function readCallFrames({ debugFrame, ehFrame }: FrameSections, littleEndian: boolean): CallFrameTable {
  const exact = readSection(debugFrame, { littleEndian, base: null });
  const known = new Set(exact.map(({ start }) => start));
  const others = ehFrame === null ? [] : readSection(ehFrame.bytes, { littleEndian, base: ehFrame.address });
  return new CallFrameTable([...exact, ...others.filter(({ start }) => !known.has(start))]);
}

interface Reading {
  readonly littleEndian: boolean;
  /** Address of the section; null for `.debug_frame`, whose addresses are absolute. */
  readonly base: number | null;
}

function readSection(bytes: Uint8Array, reading: Reading): FrameEntry[] {
  const cursor = new ByteCursor(bytes, reading.littleEndian);
  const entries: FrameEntry[] = [];
  const commons = new Map<number, CommonEntry>();
  unlessDamaged(() => {
    while (!cursor.atEnd) {
      const offset = cursor.position;
      const { end, offsetSize } = readInitialLength(cursor);
      if (end > bytes.length) {
        throw new RangeError('An entry past the end');
      }
      if (end > offset + 4) {
        const idAt = cursor.position;
        const id = cursor.unsigned(offsetSize);
        const isCommon = reading.base === null ? id === (offsetSize === 4 ? 0xffff_ffff : 2 ** 64) : id === 0;
        if (isCommon) {
          commons.set(offset, readCommon(cursor, end));
        } else {
          const common = commons.get(reading.base === null ? id : idAt - id);
          const entry = common && readEntry(cursor, end, common, reading);
          // Skips entries at address 0, which linkers leave for removed functions.
          if (entry !== undefined && entry.start !== 0 && entry.end > entry.start) {
            entries.push(entry);
          }
        }
      }
      cursor.position = end;
    }
  }, undefined);
  return entries;
}

function readCommon(cursor: ByteCursor, end: number): CommonEntry {
  const version = cursor.u8();
  const augmentation = cursor.string();
  if (version === 4) {
    // Skips the sizes of an address and of a segment selector.
    cursor.advance(2);
  }
  const codeAlignment = cursor.uleb();
  const dataAlignment = cursor.sleb();
  const returnColumn = version === 1 ? cursor.u8() : cursor.uleb();
  const hasAugmentation = augmentation.startsWith('z');
  const isArmcc = augmentation.startsWith('armcc');
  let encoding: number = pointerEncoding.absptr;
  if (hasAugmentation) {
    const behind = cursor.uleb() + cursor.position;
    for (const letter of augmentation.slice(1)) {
      if (letter === 'R') {
        encoding = cursor.u8();
      } else if (letter === 'L') {
        cursor.advance(1);
      } else if (letter === 'P') {
        readPointer(cursor, cursor.u8(), 0);
      }
    }
    cursor.position = behind;
  }
  return {
    codeAlignment,
    dataAlignment,
    returnColumn,
    instructions: cursor.bytes.subarray(cursor.position, end),
    encoding,
    hasAugmentation,
    isSignal: !isArmcc && augmentation.includes('S'),
    ...(isArmcc && { armcc: augmentation.includes('+') ? 'factored' : 'factored-negated' }),
  };
}

function readEntry(cursor: ByteCursor, end: number, common: CommonEntry, { base }: Reading): FrameEntry {
  const start = readPointer(cursor, common.encoding, base ?? 0);
  // The length has the format of the address, but is never relative.
  const size = readPointer(cursor, common.encoding & 0x0f, 0);
  if (common.hasAugmentation) {
    cursor.advance(cursor.uleb());
  }
  return { common, start, end: start + size, instructions: cursor.bytes.subarray(cursor.position, end) };
}

/**
 * Reads an address in one of the forms of `DW_EH_PE_…` (Linux Standard Base 5.0, section 10.5.1).
 * @param base address of the section
 */
function readPointer(cursor: ByteCursor, encoding: number, base: number): number {
  const at = base + cursor.position;
  const value = readEncoded(cursor, encoding & 0x0f);
  switch (encoding & 0x70) {
    case pointerEncoding.absptr:
      return value >>> 0;
    case pointerEncoding.pcrel:
      return (at + value) >>> 0;
    default:
      throw new RangeError(`Pointer encoding ${encoding}`);
  }
}

function readEncoded(cursor: ByteCursor, format: number): number {
  switch (format) {
    case pointerEncoding.absptr:
    case pointerEncoding.udata4:
      return cursor.u32();
    case pointerEncoding.uleb128:
      return cursor.uleb();
    case pointerEncoding.udata2:
      return cursor.u16();
    case pointerEncoding.sleb128:
      return cursor.sleb();
    case pointerEncoding.sdata2:
      return (cursor.u16() << 16) >> 16;
    case pointerEncoding.sdata4:
      return cursor.u32() | 0;
    default:
      throw new RangeError(`Pointer format ${format}`);
  }
}
