/**
 * Answers "Will this image start here?": which program the boot ROM starts from the contents of flash or RAM, and why.
 * RP2040: RP2040 datasheet 2.8.1. RP2350: RP2350 datasheet 5.1.5 to 5.1.7 and the published source of its boot ROM,
 * revision A2 (`varm_flash_boot.c`, `varm_launch_image.c`).
 */
import { addressText } from '../../core/bytes.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { type Picked, romProofFault } from './block-proof.ts';
import { startOf } from './file-parts.ts';
import { ProgramMemory } from './program-memory.ts';
import { type Candidate, type Found, searchWindow, type Window } from './rom-scan.ts';
import {
  bootableFlash,
  flashStart,
  type RpChip,
  type RpCpu,
  type RpPartition,
  type RpPartitionTable,
  ramEnd,
} from './rp-firmware.ts';
import { isSecondStage } from './second-stage.ts';

/** Place from which a program starts. */
type RpStartPlace =
  | { readonly kind: 'flash' }
  | { readonly kind: 'slot'; readonly slot: 0 | 1 }
  | { readonly kind: 'partition'; readonly index: number; readonly name: string }
  | { readonly kind: 'ram'; readonly address: number };

type RpStartReason =
  | 'starts'
  | 'no-program'
  | 'second-stage'
  | 'no-block'
  | 'broken-loop'
  | 'wrong-chip'
  | 'bad-item'
  | 'hash'
  | 'load-map'
  | 'table-hash'
  | 'no-bootable-partition'
  | 'try-before-you-buy'
  | 'non-secure'
  | 'window'
  | 'emulated'
  | 'cache-only'
  | 'secure-boot';

export interface RpStartVerdict {
  /** Null: only the keys in the chip decide. */
  readonly starts: boolean | null;
  readonly place: RpStartPlace | null;
  /** Processor that runs it; null if nothing starts. */
  readonly cpu: RpCpu | null;
  readonly reason: RpStartReason;
  /** The answer with its reason, as a sentence. */
  readonly text: string;
  /** Steps on the way to it, as sentences; empty for a single program. */
  readonly steps: readonly string[];
}

export interface StartOptions {
  readonly chip: RpChip;
  /** Processor that an RP2350 starts by default. */
  readonly cpu?: RpCpu;
  /** In bytes; null if it is not known. */
  readonly flashSize?: number | null;
  /** True: secure boot is enabled in OTP, so a signature by a key of the chip is required. */
  readonly isSecure?: boolean;
  /** Offset in flash that was just written, if the board restarts into it as an update; null for an ordinary restart. */
  readonly update?: number | null;
}

/** Second slot for a partition table, in bytes from the start of flash, unless OTP says otherwise. */
const SLOT_SIZE = 4_096;
const TRANSLATED = 0x40_0000;
const SECTOR = 4_096;

/**
 * Judges what starts.
 *
 * @param segments Contents of flash, or of RAM for a program that runs from there, in the order of addresses.
 */
export function judgeStart(segments: readonly MemorySegment[], options: StartOptions): Promise<RpStartVerdict> {
  const start = startOf(segments);
  if (options.chip === 'RP2040') {
    return Promise.resolve(judgeRp2040(new ProgramMemory(segments), start));
  }
  return new Rp2350Start(new ProgramMemory(segments), options).judge(start);
}

/**
 * Returns the partition table that an RP2350 uses after its next start; null if it finds none that passes its check.
 *
 * @param memory Flash, from its start on.
 */
export const tableAtStart = (memory: ProgramMemory, options: StartOptions): Promise<RpPartitionTable | null> =>
  new Rp2350Start(memory, options).table();

const refused = (reason: RpStartReason, text: string, steps: readonly string[] = []): RpStartVerdict => ({
  starts: false,
  place: null,
  cpu: null,
  reason,
  text,
  steps,
});

const noProgram = () => refused('no-program', 'Nothing starts: there is no program at the start of flash or in RAM.');

function judgeRp2040(memory: ProgramMemory, start: number | null): RpStartVerdict {
  if (start === null) {
    return noProgram();
  }
  const begun = { starts: true, cpu: 'arm', reason: 'starts', steps: [] } as const;
  if (start !== flashStart) {
    const isCache = start < 0x2000_0000;
    return isCache
      ? refused(
          'cache-only',
          'It does not start: the boot ROM of an RP2040 starts no program in the memory of the cache alone.',
        )
      : { ...begun, place: { kind: 'ram', address: start }, text: `It starts in RAM, at ${addressText(start)}.` };
  }
  const stage = memory.readFilled(flashStart, 256);
  return isSecondStage(stage)
    ? { ...begun, place: { kind: 'flash' }, text: 'It starts: the checksum of its second stage is right.' }
    : refused(
        'second-stage',
        'It does not start: the checksum of its second stage is wrong, so an RP2040 stays in BOOTSEL. Programs for an RP2350 have no second stage.',
      );
}

class Rp2350Start {
  readonly #memory: ProgramMemory;
  readonly #cpu: RpCpu;
  readonly #flash: Window;
  readonly #isSecure: boolean;
  readonly #update: number | null;
  readonly #steps: string[] = [];

  constructor(memory: ProgramMemory, { cpu = 'arm', flashSize, isSecure = false, update = null }: StartOptions) {
    this.#memory = memory;
    this.#cpu = cpu;
    this.#flash = { base: flashStart, size: Math.min(flashSize ?? bootableFlash, bootableFlash) };
    this.#isSecure = isSecure;
    this.#update = update;
  }

  judge(start: number | null): Promise<RpStartVerdict> {
    if (start === null) {
      return Promise.resolve(noProgram());
    }
    return start === flashStart ? this.#judgeFlash() : this.#judgeRam(start);
  }

  /** In RAM, the first block may be anywhere. */
  async #judgeRam(start: number): Promise<RpStartVerdict> {
    const size = (start >= 0x2000_0000 ? ramEnd : 0x1400_0000) - start;
    const found = searchWindow(
      this.#memory,
      { base: start, size },
      { cpu: this.#cpu, takesTables: false, range: size },
    );
    return found.image === null
      ? this.#nothingIn(found)
      : this.#launch({ candidate: found.image, found }, { kind: 'ram', address: start });
  }

  async #judgeFlash(): Promise<RpStartVerdict> {
    const { found, slot, hasLoop } = await this.#pickFlashSlot();
    if (!hasLoop) {
      return this.#nothingIn(found);
    }
    if (found.table !== null && !(await this.#isProven({ candidate: found.table, found }))) {
      return refused(
        'table-hash',
        `Nothing starts: the partition table does not pass its check${becauseOf(found.table)}.`,
        this.#steps,
      );
    }
    if (found.image !== null) {
      return this.#launch({ candidate: found.image, found }, { kind: 'slot', slot });
    }
    const table = found.table?.contents.partitionTable ?? null;
    return table === null ? this.#nothingIn(found) : this.#judgePartitions(table);
  }

  async table(): Promise<RpPartitionTable | null> {
    const { found } = await this.#pickFlashSlot();
    const { table } = found;
    const contents = table?.contents.partitionTable ?? null;
    const isWhole = contents !== null && contents.partitions.length === contents.stated;
    return table !== null && isWhole && (await this.#isProven({ candidate: table, found })) ? contents : null;
  }

  /** Searches both places for a partition table. A program without one is in the first. */
  async #pickFlashSlot(): Promise<{ readonly found: Found; readonly slot: 0 | 1; readonly hasLoop: boolean }> {
    const options = { cpu: this.#cpu, takesTables: true };
    const first = searchWindow(this.#memory, this.#flash, options);
    const second = searchWindow(this.#memory, this.#flash, { ...options, offset: SLOT_SIZE });
    const isOpen =
      second.table !== null && (this.#isSecure || this.#update === SLOT_SIZE || !(await this.#settles(first)));
    const slot = isOpen ? await this.#betterSlot(first, second) : 0;
    return { found: slot === 1 ? second : first, slot, hasLoop: first.hasLoop || second.hasLoop };
  }

  /** A singleton table, or a program without a table, that passes its check: the second slot is not looked at. */
  async #settles(first: Found): Promise<boolean> {
    const { table, image } = first;
    if (table !== null) {
      return (
        table.contents.partitionTable?.singleton === true && (await this.#isProven({ candidate: table, found: first }))
      );
    }
    return image !== null && (await this.#isProven({ candidate: image, found: first }));
  }

  /** The partition table with the higher version counts, if it passes its check. */
  async #betterSlot(first: Found, second: Found): Promise<0 | 1> {
    if (second.table === null) {
      return 0;
    }
    const own = { candidate: second.table, found: second };
    const other = first.table === null ? null : { candidate: first.table, found: first };
    const isBetter = await this.#isSecondBetter(other, own, { first: 0, second: SLOT_SIZE });
    const which = isBetter ? 'second' : 'first';
    this.#steps.push(`Of the two places for a partition table, the ${which} one counts.`);
    return isBetter ? 1 : 0;
  }

  /** Decides between the slots A and B, or between two partition tables. */
  async #isSecondBetter(
    first: Picked | null,
    second: Picked,
    offsets: { readonly first: number; readonly second: number },
  ): Promise<boolean> {
    if (first !== null && this.#update === offsets.first && (await this.#isProven(first))) {
      return false;
    }
    const isGreater = first === null || isNewer(second.candidate, first.candidate);
    const isWanted =
      this.#update === offsets.second ||
      first?.candidate.contents.image?.tbyb === true ||
      (isGreater && second.candidate.contents.image?.tbyb !== true) ||
      (first !== null && !(await this.#isProven(first)));
    return isWanted && (await this.#isProven(second));
  }

  async #judgePartitions(table: RpPartitionTable): Promise<RpStartVerdict> {
    for (const partition of table.partitions.slice(0, table.stated)) {
      const picked = await this.#pickSlot(partition, table.partitions);
      if (picked !== null) {
        const verdict = await this.#launch(picked.picked, placeOf(picked.partition));
        if (verdict.starts !== false) {
          return verdict;
        }
        this.#steps.push(`${nameOf(picked.partition)}: ${verdict.text}`);
      }
    }
    return refused(
      'no-bootable-partition',
      'Nothing starts: no partition has a program that this board can start.',
      this.#steps,
    );
  }

  /** Picks the program of an A partition or of its B partition; null if neither has one. */
  async #pickSlot(a: RpPartition, partitions: readonly RpPartition[]) {
    const isInFirstChip = a.offset + a.size <= bootableFlash;
    if (a.slot.kind === 'b' || !isInFirstChip || !a.bootable.includes(this.#cpu)) {
      return null;
    }
    const b = partitions.find(({ slot }) => slot.kind === 'b' && slot.of === a.index) ?? null;
    const inA = this.#programOf(a);
    const inB = b === null ? null : this.#programOf(b);
    if (b !== null && inB !== null) {
      if (await this.#isSecondBetter(inA, inB, { first: a.offset, second: b.offset })) {
        this.#steps.push(
          `${nameOf(b)} is taken, the B slot of ${lowered(nameOf(a))}${inA === null ? ', which has no program' : ''}.`,
        );
        return { picked: inB, partition: b };
      }
      this.#steps.push(`${nameOf(a)} is taken, not its B slot, ${lowered(nameOf(b))}.`);
    }
    return inA === null ? null : { picked: inA, partition: a };
  }

  #programOf({ offset, size }: RpPartition): Picked | null {
    if (size <= 0 || offset + size > bootableFlash) {
      return null;
    }
    const window = { base: flashStart + offset, size };
    const found = searchWindow(this.#memory, window, { cpu: this.#cpu, takesTables: false });
    return found.image === null ? null : { candidate: found.image, found };
  }

  /** Checks a block as the boot ROM does before it uses it: items, load map, hash. */
  async #isProven(picked: Picked): Promise<boolean> {
    return picked.candidate.fault === null && (await romProofFault(picked, this.#memory)) === null;
  }

  /** Judges the last step: the boot ROM has decided for this program. */
  async #launch(picked: Picked, place: RpStartPlace): Promise<RpStartVerdict> {
    const { candidate, found } = picked;
    const { image, windowDelta } = candidate.contents;
    const no = (reason: RpStartReason, why: string) => ({
      ...refused(reason, `It does not start: ${why}.`, this.#steps),
      place,
    });
    if (image === null || image.chip !== 'RP2350') {
      return no('wrong-chip', 'its image definition is for another chip');
    }
    if (candidate.fault !== null) {
      return no('bad-item', candidate.fault);
    }
    const delta = windowDelta ?? 0;
    if (place.kind !== 'ram' && ((delta < 0 && delta % TRANSLATED !== 0) || delta % SECTOR !== 0)) {
      return no('window', 'its rolling window cannot be set up: a negative one has to be a multiple of 4 MB');
    }
    const offset = found.window.base + found.offset - flashStart;
    if (image.tbyb && place.kind !== 'ram' && this.#update !== offset) {
      return no(
        'try-before-you-buy',
        'it is marked "try before you buy" and has not been bought, so it starts only right after an update',
      );
    }
    const fault = await romProofFault(picked, this.#memory);
    if (fault !== null) {
      return fault === 'hash'
        ? no('hash', 'its hash does not match its contents')
        : no('load-map', 'its load map names memory that it cannot use');
    }
    if (image.cpu === 'arm' && image.security === 'non-secure') {
      return no('non-secure', 'it is marked as non-secure, and only a secure program can start it');
    }
    if (image.cpu !== 'arm' && image.cpu !== 'riscv') {
      return no('emulated', 'its image definition names a processor that cannot start a program');
    }
    const where = placeText(place);
    if (this.#isSecure) {
      const text = `Secure boot is on: ${lowered(where)} starts only if it is signed with a key that the chip knows.`;
      return { starts: null, place, cpu: image.cpu, reason: 'secure-boot', text, steps: this.#steps };
    }
    const switched = image.cpu === this.#cpu ? '' : ` The board changes to ${cpuText[image.cpu]} for it.`;
    const proof = candidate.contents.hash === null ? 'its metadata is complete' : 'its hash is right';
    const text = `${where} starts on ${cpuText[image.cpu]}: ${proof}.${switched}`;
    return { starts: true, place, cpu: image.cpu, reason: 'starts', text, steps: this.#steps };
  }

  #nothingIn({ fault, hasLoop }: Found): RpStartVerdict {
    if (fault !== null) {
      return refused('broken-loop', `It does not start: ${fault}.`, this.#steps);
    }
    return hasLoop
      ? refused('no-program', 'It does not start: its metadata does not describe a program.', this.#steps)
      : refused(
          'no-block',
          'It does not start: an RP2350 needs an image definition in the first 4 KB, and there is none.',
          this.#steps,
        );
  }
}

const cpuText: Readonly<Record<RpCpu, string>> = { arm: 'Arm', riscv: 'RISC-V' };

/** Rollback version first, then the version. A block without one has version 0. */
function isNewer(one: Candidate, other: Candidate): boolean {
  const numbers = ({ contents: { version } }: Candidate) => [
    version?.rollback ?? 0,
    (version?.major ?? 0) * 0x10000 + (version?.minor ?? 0),
  ];
  const [rollback = 0, version = 0] = numbers(one);
  const [otherRollback = 0, otherVersion = 0] = numbers(other);
  return rollback > otherRollback || (rollback === otherRollback && version > otherVersion);
}

const becauseOf = ({ fault }: Candidate) => (fault === null ? '' : `: ${fault}`);

const placeOf = ({ index, name }: RpPartition): RpStartPlace => ({ kind: 'partition', index, name });

const nameOf = ({ index, name }: Pick<RpPartition, 'index' | 'name'>) =>
  name === '' ? `Partition ${index}` : `Partition ${index} ("${name}")`;

function placeText(place: RpStartPlace): string {
  switch (place.kind) {
    case 'flash':
      return 'The program';
    case 'slot':
      return place.slot === 0 ? 'The program at the start of flash' : 'The program in the second slot';
    case 'partition':
      return `The program in ${lowered(nameOf(place))}`;
    default:
      return `The program in RAM at ${addressText(place.address)}`;
  }
}

const lowered = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
