/** ELF files of a program beside a crash: which of them is the build that ran, and what it knows of the crash. */
import type { ByteSource } from '../byte-source.ts';
import type { CoreDump } from '../core/core-dump.ts';
import { type CrashReport, crashReport } from '../core/crash-report.ts';
import type { Machine } from '../elf/machine.ts';
import { elfHash, isSameBuild } from '../elf-hash.ts';
import { type DecodedAddress, decodeAddresses } from '../panic/lookup-address.ts';
import type { PanicAddress } from '../panic/panic-mark.ts';
import { type Frame, openSymbolFile, type SymbolFile } from '../symbol-file.ts';
import { readCrashProgram } from '../unwind/crash-program.ts';

/** Comparison of a file with the running build. `unknown`: the board did not name its build. */
export type BuildMatch = 'same' | 'other' | 'unknown';

export interface ProgramFile {
  readonly symbols: SymbolFile;
  /** SHA-256 of the file, by which a board identifies its build. Null if the browser cannot hash (plain http). */
  readonly hash: string | null;
  /** Loads the code that only core dumps need, with the first dump. */
  readonly program: () => ReturnType<typeof readCrashProgram>;
}

/** An open file under the number by which its caller knows it. */
export interface NumberedFile {
  readonly id: number;
  readonly file: ProgramFile;
}

export interface DecodedPlace {
  /** Id of the file that named the place. */
  readonly file: number;
  /** Innermost inlined call first, the called function last. Never empty. */
  readonly frames: readonly Frame[];
}

export interface DecodeAnswer {
  /** One entry for each address of the request. Null: not a code address in any of the files. */
  readonly places: readonly (DecodedPlace | null)[];
  readonly matches: Readonly<Record<number, BuildMatch>>;
}

export interface ReportAnswer {
  readonly report: CrashReport;
  /** Id of the file that was used. Null: the report has no functions. */
  readonly file: number | null;
  /** Comparison with the running build. */
  readonly match: BuildMatch;
  /** Ids of open files whose build is not the one that the dump names. They are not used. */
  readonly otherBuilds: readonly number[];
}

/**
 * Opens an ELF file and calculates its hash.
 *
 * @throws SymbolFileError for a file that cannot serve.
 */
export async function openProgramFile(
  source: ByteSource,
  options: NonNullable<Parameters<typeof openSymbolFile>[1]> = {},
): Promise<ProgramFile> {
  const symbols = await openSymbolFile(source, options);
  // Browsers calculate hashes on secure pages only.
  const hash = 'subtle' in crypto ? await elfHash(source) : null;
  options.signal?.throwIfAborted();
  const { pause } = options;
  let program: ReturnType<typeof readCrashProgram> | undefined;
  return {
    symbols,
    hash,
    program: () => {
      program ??= readCrashProgram(symbols, pause === undefined ? {} : { pause });
      return program;
    },
  };
}

/**
 * Looks addresses up. The file of the running build comes first.
 *
 * @param build First digits of the SHA-256 of the running build. Null if unknown.
 */
export function decodeIn(
  files: readonly NumberedFile[],
  addresses: readonly PanicAddress[],
  build: string | null,
): DecodeAnswer {
  const open = files.map(({ id, file }) => ({ id, symbols: file.symbols, match: matchOf(file.hash, build) }));
  const inOrder = [...open.filter(({ match }) => match === 'same'), ...open.filter(({ match }) => match !== 'same')];
  const found = new Map<DecodedAddress['address'], DecodedPlace>();
  for (const { id, symbols } of inOrder) {
    const left = addresses.filter((address) => !found.has(address));
    for (const { address, frames } of decodeAddresses(symbols, left)) {
      found.set(address, { file: id, frames });
    }
  }
  return {
    places: addresses.map((address) => found.get(address) ?? null),
    matches: Object.fromEntries(open.map(({ id, match }) => [id, match])),
  };
}

/**
 * Reports on a dump with the file of the build that it names, else with the last file of the same processor.
 *
 * @param pause Awaited between slices of a large dump.
 */
export async function reportIn(
  files: readonly NumberedFile[],
  dump: CoreDump,
  pause?: () => Promise<void>,
): Promise<ReportAnswer> {
  const open = files
    .filter(({ file }) => file.symbols.machine === dump.machine)
    .map((one) => ({ ...one, match: matchOf(one.file.hash, dump.appHash) }));
  const others = open.filter(({ match }) => match === 'other');
  // The user could not notice that the frames of another build are wrong.
  const used = open.find(({ match }) => match === 'same') ?? open.findLast(({ match }) => match === 'unknown');
  const program = used === undefined ? null : await used.file.program().catch(nullIfGone);
  const named = program === null ? undefined : used;
  return {
    report: await crashReport(dump, program, pause === undefined ? {} : { pause }),
    file: named?.id ?? null,
    match: named?.match ?? 'unknown',
    otherBuilds: others.map(({ id }) => id),
  };
}

/** Returns null for a file that was changed or removed on the disk before all of it was read. */
function nullIfGone(error: unknown): null {
  if (error instanceof DOMException) {
    return null;
  }
  throw error;
}

function matchOf(hash: string | null, build: string | null): BuildMatch {
  if (hash === null || build === null) {
    return 'unknown';
  }
  return isSameBuild(hash, build) ? 'same' : 'other';
}

const xtensaChips = /^esp(?:8266|32|32s2|32s3)$/;

/** Returns the processor architecture of a chip; null for an unknown chip. */
export function machineOf(chip: string | null): 'xtensa' | 'riscv' | null {
  return chip === null ? null : xtensaChips.test(chip) ? 'xtensa' : 'riscv';
}

/**
 * Checks if ELF files belong to the program that crashed. Shown before the names in them, which would be wrong
 * otherwise.
 */
export type FilesVerdict = 'no-file' | 'this-build' | 'other-build' | 'build-unknown' | 'other-machine' | 'no-address';

interface FilesFacts extends DecodeAnswer {
  /** Processors of the open files. */
  readonly machines: readonly Machine[];
  /** Chip that the log names. */
  readonly chip: string | null;
}

/** Returns null before the addresses were looked up. */
export function verdictOf({ machines, matches, places, chip }: FilesFacts): FilesVerdict | null {
  if (machines.length === 0) {
    return 'no-file';
  }
  const found = Object.values(matches);
  if (found.length === 0) {
    return null;
  }
  if (found.includes('same')) {
    return 'this-build';
  }
  const machine = machineOf(chip);
  if (machine !== null && machines.every((one) => one !== machine)) {
    return 'other-machine';
  }
  if (!found.includes('unknown')) {
    return 'other-build';
  }
  return places.every((place) => place === null) ? 'no-address' : 'build-unknown';
}

/** Places of ELF files. */
const elfPlaces =
  'build/<project>.elf of ESP-IDF, .pio/build/<board>/firmware.elf of PlatformIO, <sketch>.ino.elf of the Arduino IDE, build/zephyr/zephyr.elf of Zephyr';

const verdicts = {
  'no-file': { text: '', wanted: 'the ELF file of this firmware' },
  'this-build': { text: 'This is the build that ran: its SHA-256 is the one the board printed.', wanted: null },
  'other-build': {
    text: 'This is not the build that ran: the board printed a different SHA-256. Names and lines may be wrong.',
    wanted: 'the ELF file that was flashed',
  },
  'build-unknown': {
    text: 'The log does not say which build ran: names are right if this is the ELF file that was flashed.',
    wanted: null,
  },
  'other-machine': {
    text: 'This ELF file is for a different processor from the chip in the log.',
    wanted: 'the ELF file of this firmware',
  },
  'no-address': {
    text: 'None of the addresses is in this program.',
    wanted: 'the ELF file that was flashed',
  },
} satisfies Record<FilesVerdict, { readonly text: string; readonly wanted: string | null }>;

/** True: the names are wrong or missing. */
export const isWrongFile = (verdict: FilesVerdict): boolean =>
  verdict !== 'no-file' && verdicts[verdict].wanted !== null;

/** @param ask Returns how to give a file, as in `Drop the ELF file that was flashed`. */
export function verdictText(verdict: FilesVerdict, ask: (file: string) => string): string {
  const { text, wanted } = verdicts[verdict];
  if (verdict === 'no-file') {
    return `${ask(verdicts[verdict].wanted)} to see functions, files and lines: ${elfPlaces}.`;
  }
  return wanted === null ? text : `${text} ${ask(wanted)}.`;
}

/** Says whether a file is the build of a dump. */
export interface DumpVerdict {
  readonly text: string;
  /** True: files of other builds are open. */
  readonly isWarning: boolean;
}

/**
 * @param nameOf Name of an open file.
 * @param ask See `verdictText`.
 */
export function dumpVerdict(
  { file, match, otherBuilds, report }: ReportAnswer,
  nameOf: (id: number) => string | undefined,
  ask: (file: string) => string,
): DumpVerdict {
  const name = file === null ? undefined : nameOf(file);
  if (name !== undefined) {
    const text =
      match === 'same'
        ? `${name} is the build that crashed: the dump names its SHA-256.`
        : `The dump does not name the build that crashed: the functions are right if it was ${name}.`;
    return { text, isWarning: false };
  }
  const others = otherBuilds.flatMap((id) => nameOf(id) ?? []);
  const wanted = report.appHash === null ? 'of this firmware' : `whose SHA-256 begins with ${report.appHash}`;
  const isWarning = others.length > 0;
  return {
    text: `${isWarning ? `${others.join(', ')}: not the build that crashed. ` : ''}${ask(`the ELF file ${wanted}`)} to see task names, functions and lines.`,
    isWarning,
  };
}
