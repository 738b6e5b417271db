/**
 * Checks files for an STM32 without a board: they look like programs, do not overlap, and lie in flash. Plans and
 * releases use the same functions.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import type { Stretch } from '../../core/memory-plan.ts';
import { endOf, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { OtherPart } from '../../images/formats/image-format.ts';
import type { VectorTable } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import type { StmFamilyName } from '../parts/families.ts';
import { flashStart } from '../parts/flash-layout.ts';
import { type StmMemory, type StmMemoryArea, stmMemoryAt } from '../parts/memory-map.ts';
import type { StmFindings } from './stm-plan-finding.ts';

/** Largest flash of all supported families, assumed without a connected board. */
export const largestStmFlash: FlashRange = { offset: flashStart, length: 2 * 1_048_576 };

/** A file, reduced to its ranges and vector table. */
export interface StmContents {
  readonly name: string;
  /** Ranges of the file's bytes, lowest address first; empty for an empty file. */
  readonly ranges: readonly FlashRange[];
  /** Vector table at the lowest address; null if there is no table. */
  readonly vectors: VectorTable | null;
}

/** Checks that a file looks like a program, if it goes to the start address, and that it is linked for its address. */
export function checkProgram({ name, ranges, vectors }: StmContents, findings: StmFindings): void {
  const [first] = ranges;
  if (first === undefined || first.length === 0) {
    findings.refuse('file-empty', { files: [name] });
    return;
  }
  const at = addressText(first.offset);
  if (vectors === null) {
    const detail = { files: [name], at };
    if (first.offset === flashStart) {
      findings.refuse('not-an-image', detail);
    } else {
      findings.warn('no-vector-table', detail);
    }
    return;
  }
  const isInside = ranges.some((range) => overlapOf(range, { offset: vectors.reset, length: 1 }) !== null);
  // Flash is mirrored at zero, and some programs are linked there (RM0008 section 3.4, "Boot configuration").
  if (!isInside && vectors.reset >= flashStart) {
    findings.warn('linked-elsewhere', { files: [name], at, wanted: addressText(vectors.reset) });
  }
}

/**
 * Refuses data outside of flash. Known memory there is named, and may be left out if the file also has data for
 * flash.
 *
 * @param stretches In the order of addresses.
 * @param sectors Sectors of the board, or `largestStmFlash`; empty if unknown.
 * @param family Family of the board; null if unknown.
 */
export function checkPlaces(
  stretches: readonly Stretch[],
  sectors: readonly FlashRange[],
  findings: StmFindings,
  family: StmFamilyName | null = null,
): void {
  const last = sectors.at(-1);
  if (last === undefined) {
    return;
  }
  const named = new Map<string, OutsidePart>();
  for (const { file, ...range } of stretches) {
    const [outside] = without(range, sectors);
    if (outside === undefined) {
      continue;
    }
    const startsInside = sectors.some((sector) => overlapOf(sector, { offset: range.offset, length: 1 }) !== null);
    const areas = startsInside ? [] : stmMemoryAt(outside.offset, family);
    if (startsInside && outside.offset >= endOf(last)) {
      const [wanted, found] = [endOf(range), endOf(last)].map(addressText);
      findings.refuse('does-not-fit', { files: [file], wanted: wanted ?? '', found: found ?? '' });
    } else if (areas.length === 0) {
      findings.refuse('outside-flash', { files: [file], at: addressText(outside.offset) }, true);
    } else {
      const memory = memoryText(areas);
      const key = `${file}\n${memory}`;
      const part = named.get(key) ?? {
        file,
        memory,
        effect: effects[areas[0]?.memory ?? 'registers'],
        at: outside.offset,
        size: 0,
      };
      named.set(key, { ...part, size: part.size + outside.length });
    }
  }
  const hasMore = (name: string) =>
    stretches.some(
      ({ file, ...range }) => file === name && sectors.some((sector) => overlapOf(sector, range) !== null),
    );
  for (const { file, memory, effect, at, size } of named.values()) {
    refusePart({ file, what: `${sizeText(size)} for ${memory}`, at: addressText(at), effect }, hasMore(file), findings);
  }
}

/**
 * Refuses a file's data for memories outside of the memory map; it may be left out. Parts for other chips get a
 * warning.
 */
export function checkOtherParts(
  file: string,
  others: readonly OtherPart[],
  hasMore: boolean,
  findings: StmFindings,
): void {
  for (const { kind, name, size } of others) {
    if (kind === 'memory') {
      const effect = 'The bootloader of the part reaches its own memory alone.';
      refusePart({ file, what: `${sizeText(size)} for ${name}`, effect }, hasMore, findings);
    } else {
      findings.warn('part-left-out', { files: [file], wanted: `${sizeText(size)} for ${name}` });
    }
  }
}

interface OutsidePart {
  readonly file: string;
  readonly memory: string;
  readonly effect: string;
  /** Address of the first byte. */
  readonly at: number;
  readonly size: number;
}

function refusePart(
  {
    file,
    what,
    at,
    effect,
  }: { readonly file: string; readonly what: string; readonly at?: string; readonly effect: string },
  hasMore: boolean,
  findings: StmFindings,
): void {
  const place = at === undefined ? '' : ` at ${at}`;
  const found = `${what}${place}, which is outside the flash. ${effect}`;
  const wanted = hasMore
    ? 'Only flash is written here. If you write anyway, this part is left out, and the rest of the file is written.'
    : 'Only flash is written here, from 0x08000000 on. Choose a file with data for it.';
  findings.refuse('outside-flash', { files: [file], found, wanted }, !hasMore);
}

/** Returns the parts of `segments` within `sectors`. */
export function insideOf(segments: readonly MemorySegment[], sectors: readonly FlashRange[]): MemorySegment[] {
  return segments.flatMap(({ address, bytes }) => {
    const range = { offset: address, length: bytes.length };
    return without(range, without(range, sectors)).map(({ offset, length }) => ({
      address: offset,
      bytes: bytes.subarray(offset - address, offset - address + length),
    }));
  });
}

const memoryNames = {
  'option-bytes': 'option bytes',
  otp: 'one-time programmable memory',
  eeprom: 'data EEPROM',
  'system-memory': 'the system memory, which holds the bootloader of ST',
  ram: 'RAM',
  registers: 'registers',
  'external-memory': 'external memory (FMC, QUADSPI or OCTOSPI)',
} satisfies Record<StmMemory, string>;

/** Memory → sentence about the effect of writing there. */
const effects = {
  'option-bytes': 'Option bytes set read protection, watchdogs and where the part starts: a wrong value locks it.',
  otp: 'Each bit of it can be written only once.',
  eeprom: 'It holds stored data of the program, which would be replaced.',
  'system-memory': 'It is ROM and cannot be written.',
  ram: 'RAM is lost at the next reset: a program has to copy its data there from flash.',
  registers: 'What is written there is lost at the next reset.',
  'external-memory': 'The bootloader of the part cannot reach it.',
} satisfies Record<StmMemory, string>;

/** Returns a text such as `option bytes of STM32F0, F1 or F3`. */
function memoryText(areas: readonly StmMemoryArea[]): string {
  return areas
    .map(({ memory, families }) => {
      const [last = '', ...before] = families.toReversed();
      const list = before.length === 0 ? last : `${before.toReversed().join(', ')} or ${last}`;
      return list === '' ? memoryNames[memory] : `${memoryNames[memory]} of STM32${list}`;
    })
    .join(', or ');
}
