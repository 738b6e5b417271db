/**
 * Holds the files that may be written to an RP2040 or RP2350. A .bin has the address that it is given. UF2, ELF and Intel HEX
 * contain their own addresses.
 */
import { baseName } from '../core/index.ts';
import type { FlashRange } from '../core/region.ts';
import type { ChosenFiles, FileFacts, FileId, FileSection } from '../given-files/chosen-files.ts';
import { overlappingBuilds } from '../given-files/given-builds.ts';
import {
  backupNote,
  type ChosenPlace,
  type FilesOfFamily,
  type LeftOut,
  type OpenedFile,
  whyHere,
} from '../given-files/given-files.ts';
import { namedAddress, withoutTwins } from '../given-files/one-format.ts';
import { ImageError, imageFaultText, isMemoryFile, memoryFileExtensions, orNull } from '../images/index.ts';
import { sha256Of } from '../images/sha256.ts';
import { flashStart, type RpProgram, readRpFirmware } from './files/index.ts';
import { inspectRpFile, type RpFileInfo } from './files/inspect-rp-file.ts';
import { rpPlanFile } from './plan/plan-file.ts';
import type { RpPlanFile } from './plan/rp-plan-types.ts';

interface KeptFile {
  readonly id: FileId;
  readonly name: string;
  readonly from: string;
  readonly bytes: Uint8Array;
  readonly programs: readonly RpProgram[];
  readonly info: RpFileInfo;
  readonly sha256: string;
  /** Prescribed address, for example by a release; null for the start of flash. */
  readonly given: number | null;
  /** Folder or archive that it came in; null for a single file. */
  readonly build: string | null;
}

/** File extensions of firmware. The folder of a build contains other files as well. */
const firmware = new RegExp(`\\.(?:${['bin', ...memoryFileExtensions].join('|')})$`, 'i');

const otherNameText = 'Only .uf2, .elf, .hex and .bin files are written.';

/** Second stages that the SDK builds beside a program, which has its own copy (pico-sdk, `boot_stage2`). */
const secondStage = /(?:^|[/\\])bs2_\w+\.\w+$/i;

export class RpFiles {
  #files: readonly KeptFile[] = [];
  #nextId = 1;

  /** Adds files. A file replaces an older one with its name. */
  async add(opened: readonly OpenedFile[], before: readonly LeftOut[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [...before];
    const single = ofBuilds(opened, leftOut);
    const fresh = (await Promise.all(single.map((file) => this.#keep(file, leftOut)))).flatMap((file) => file ?? []);
    const older = this.#files.filter(({ name }) => !fresh.some((file) => file.name === name));
    this.#files = [...older, ...fresh];
    return this.#chosen(leftOut);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ id }) => !ids.includes(id));
    return this.#chosen([]);
  }

  /** Returns the files of a plan. Files that were removed since are left out. */
  forPlan(places: readonly ChosenPlace[]): RpPlanFile[] {
    return places.flatMap(({ id, offset }) => {
      const file = this.#files.find((kept) => kept.id === id);
      return file === undefined ? [] : [rpPlanFile(baseName(file.name), file.bytes, offset)];
    });
  }

  async #keep({ name, from, bytes, given, group }: OpenedFile, leftOut: LeftOut[]): Promise<KeptFile | null> {
    if (!firmware.test(name) && !isMemoryFile(name, bytes)) {
      leftOut.push({ name: baseName(name), why: otherNameText });
      return null;
    }
    const address = addressOf({ name, given });
    try {
      const { programs } = readRpFirmware(baseName(name), bytes, address);
      const info = await inspectRpFile(baseName(name), bytes, address);
      const sha256 = await sha256Of(bytes);
      return { id: this.#nextId++, name, from, bytes, programs, info, sha256, given, build: group };
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      leftOut.push({ name: baseName(name), why: `${error.message} ${imageFaultText[error.code].remedy}` });
      return null;
    }
  }

  #chosen(leftOut: readonly LeftOut[]): ChosenFiles {
    const files = this.#files.map(factsOf);
    return { files: files.toSorted((one, other) => (one.offset ?? 0) - (other.offset ?? 0)), leftOut, conflicts: [] };
  }
}

/** Formats of one program, the one that says most about it first. */
const formatOrder: readonly string[] = ['uf2', 'elf', 'hex', 'bin'];

/** Leaves out second stages on their own, and other formats of a program, in the folder or archive of a build. */
function ofBuilds(opened: readonly OpenedFile[], leftOut: LeftOut[]): readonly OpenedFile[] {
  const built = opened.filter(({ name, group }) => group !== null && firmware.test(name));
  const stages = built.filter(({ name }) => secondStage.test(name));
  const programs = built.filter((file) => !stages.includes(file));
  const single = withoutTwins(opened, programs, formatOrder, leftOut);
  leftOut.push(...stages.map(({ name }) => ({ name: baseName(name), why: 'It is a part of each program already.' })));
  return single.filter((file) => !stages.includes(file));
}

/** Returns the addresses of a file; none for a file that is not written. */
function rangesOf({ name, bytes, given }: OpenedFile): readonly FlashRange[] {
  if (secondStage.test(name) || (!firmware.test(name) && !isMemoryFile(name, bytes))) {
    return [];
  }
  const read = orNull(() => readRpFirmware(baseName(name), bytes, addressOf({ name, given })));
  return read === null ? [] : placesOf(read.programs);
}

export const rpFiles: FilesOfFamily<RpFiles> = {
  family: 'rp',
  create: () => new RpFiles(),
  buildsAmong: (files) => overlappingBuilds(files, rangesOf),
};

/** Returns the address of a raw binary: as prescribed, as its name says, or the start of flash. */
const addressOf = ({ name, given }: Pick<KeptFile, 'name' | 'given'>): number =>
  given ?? namedAddress(name, flashStart) ?? flashStart;

/** Returns the ranges of all programs, in the order of addresses. Programs for several chips go to the same addresses. */
function placesOf(programs: readonly RpProgram[]): FlashRange[] {
  const inFlash = programs.flatMap(({ flash }) => flash);
  const data = inFlash.length > 0 ? inFlash : programs.flatMap(({ ram }) => ram);
  const sorted = data
    .map(({ address, bytes }) => ({ offset: address, length: bytes.length }))
    .toSorted((one, other) => one.offset - other.offset);
  const joined: FlashRange[] = [];
  for (const { offset, length } of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && offset <= last.offset + last.length) {
      const end = Math.max(last.offset + last.length, offset + length);
      joined[joined.length - 1] = { offset: last.offset, length: end - last.offset };
    } else {
      joined.push({ offset, length });
    }
  }
  return joined;
}

function factsOf({ id, name, from, bytes, programs, info, sha256, given, build }: KeptFile): FileFacts {
  const places = placesOf(programs);
  const hasOwn = info.format !== 'bin';
  const chips = [...new Set(programs.flatMap((one) => one.chips))];
  const [chip] = chips;
  const python = pythonOf(info);
  const about = aboutOf(info);
  const prints = printsOverUsb(about) ?? python;
  return {
    id,
    name: baseName(name),
    from,
    size: hasOwn ? places.reduce((sum, { length }) => sum + length, 0) : bytes.length,
    what: `${whatIs(info, programs)}${backupNote(name)}`,
    offset: places[0]?.offset ?? addressOf({ name, given }),
    why: hasOwn ? 'The file itself says so.' : whyHere(given, namedAddress(name, flashStart)),
    places: hasOwn ? places : null,
    application: applicationOf(info),
    ...(chip !== undefined && chips.length === 1 && { chip }),
    ...(build !== null && { build }),
    ...(python !== null && { python }),
    ...(about.length > 0 && { about }),
    ...(prints !== null && { prints }),
    sha256,
  };
}

/**
 * Feature of programs that open a USB port for their output (pico-sdk, `bi_decl_if_func_used(LIB_PICO_STDIO_USB …)` in
 * `pico_stdio_usb`).
 */
const USB_OUTPUT = 'USB stdin / stdout';

function printsOverUsb(sections: readonly FileSection[]): string | null {
  const features = sections.flatMap(({ fields }) => fields.filter(({ key }) => key === 'features'));
  return features.some(({ values }) => values.includes(USB_OUTPUT)) ? `“${USB_OUTPUT}”` : null;
}

/** Returns all sections; those of several programs are named after their families. */
function aboutOf({ programs }: RpFileInfo): readonly FileSection[] {
  return programs.flatMap(({ family, sections, notes }) => {
    const whose = programs.length > 1 && family !== null ? ` (${family})` : '';
    const told = sections.map(({ title, fields }) => ({ title: `${title}${whose}`, fields }));
    return notes.length === 0
      ? told
      : [...told, { title: `Faults${whose}`, fields: [{ key: 'found', values: notes }] }];
  });
}

/** Returns a value that the binary info of the first program states; null without one. */
function stated({ programs }: RpFileInfo, key: string): string | null {
  const sections = programs.flatMap((program) => program.sections);
  const fields = sections.flatMap(({ title, fields: own }) => (title === 'Program Information' ? own : []));
  return fields.find((field) => field.key === key)?.values[0] ?? null;
}

function applicationOf(info: RpFileInfo): string | null {
  const [name, version] = [stated(info, 'name'), stated(info, 'version')];
  // A partition table has a version without a name.
  return name === null || version === null ? name : `${name} ${version}`;
}

/** Names in binary info of firmware with an interpreter (`program_name` in `ports/rp2` and `ports/raspberrypi`). */
const pythons: Readonly<Record<string, 'MicroPython' | 'CircuitPython'>> = {
  micropython: 'MicroPython',
  circuitpython: 'CircuitPython',
};

const pythonOf = (info: RpFileInfo) => pythons[stated(info, 'name')?.toLowerCase() ?? ''] ?? null;

/** Describes a file: `UF2, program for RP2040`, `UF2, programs for RP2040 and RP2350`, `Intel HEX, data`. */
function whatIs({ formatName }: RpFileInfo, programs: readonly RpProgram[]): string {
  const named = [...new Set(programs.flatMap((one) => (one.chips.length === 0 ? [] : [one.chips.join(' or ')])))];
  const isProgram = programs.some(({ image, ram }) => image !== null || ram.length > 0) || named.length > 0;
  const what = !isProgram ? 'data' : programs.length > 1 ? 'programs' : 'program';
  const inRam = programs.every(({ flash }) => flash.length === 0) ? ' that runs in RAM' : '';
  return `${formatName}, ${what}${named.length === 0 ? '' : ` for ${named.join(' and ')}`}${inRam}`;
}
