/**
 * Reads a file of a build in any format that a flasher reads, with the flashers' own readers. The result is plain data,
 * which a worker can post.
 */

import type { FamilyId } from '@wirebench/boards';
import { readAvrFile } from '../avr/file/read-avr-file.ts';
import { planAvr } from '../avr/plan/plan-avr.ts';
import { quoted } from '../core/findings.ts';
import type { FailureText } from '../core/flash-failure.ts';
import { placeFiles as placeEspFiles } from '../esp/build-output/place-files.ts';
import { chipNames } from '../esp/chips/chip-facts.ts';
import { foreignElf, notFirmwareText } from '../images/contents/not-firmware.ts';
import { memoryFileExtensions } from '../images/formats/file-extensions.ts';
import { isMemoryFile, type MemoryFile, readMemoryFile } from '../images/formats/memory-file.ts';
import { readNestedZip, startsLikeZip } from '../images/formats/zip.ts';
import { ImageError, imageFaultText } from '../images/image-error.ts';
import { PackageError } from '../nrf/package/package-fault.ts';
import { readNrfFirmware } from '../nrf/package/read-firmware.ts';
import { readRpFirmware } from '../rp/files/read-rp-firmware.ts';
import { flashStart as rpFlashStart } from '../rp/files/rp-firmware.ts';
import { flashStart as stmFlashStart } from '../stm/parts/flash-layout.ts';
import { stmChips } from '../stm/parts/model.ts';
import { AVR_EEPROM_START } from './check-avr.ts';
import type { ReleaseDevice } from './check-release.ts';
import { type FirmwareReading, readFirmware } from './read-firmware.ts';

/** Bytes that a file puts at one address. */
export interface BuildFilePiece {
  /** Name of the file, or path within an archive. */
  readonly name: string;
  /** Flash address in bytes; null if neither the file nor its list states one. */
  readonly offset: number | null;
  /** Size in bytes. */
  readonly size: number;
  readonly reading: FirmwareReading;
}

export interface BuildFileReading {
  /** In the order of the file; empty for a Nordic package, whose bootloader places it, and for an unreadable file. */
  readonly pieces: readonly BuildFilePiece[];
  /** Chip that the file states, such as `STM32F4`; null if it states none. Images name their chips in `pieces`. */
  readonly target: string | null;
  /** Reason why no flasher of the family writes the file; null for a readable file. */
  readonly fault: FailureText | null;
}

/**
 * Reads the file as the flasher of the family does.
 *
 * @param name Name of the file. Its extension counts as in the flashers.
 */
export async function readBuildFile(
  name: string,
  bytes: Uint8Array,
  { deviceFamily, deviceModel }: ReleaseDevice,
): Promise<BuildFileReading> {
  try {
    return await readers[deviceFamily](name, bytes, deviceModel);
  } catch (error) {
    if (error instanceof ImageError) {
      return unreadable(name, { what: error.message, remedy: imageFaultText[error.code].remedy });
    }
    if (error instanceof PackageError) {
      return unreadable(name, { what: error.message, remedy: error.remedy });
    }
    throw error;
  }
}

const readers: Readonly<
  Record<FamilyId, (name: string, bytes: Uint8Array, model: string) => Promise<BuildFileReading>>
> = { esp: readForEsp, stm: readForStm, nrf: readForNrf, avr: readForAvr, rp: readForRp };

/** Reads a file of a build that is one piece at a given address: a `.bin`. */
export function binaryReading(name: string, { offset, size, reading }: Omit<BuildFilePiece, 'name'>): BuildFileReading {
  return { pieces: [{ name, offset, size, reading }], target: null, fault: null };
}

function unreadable(name: string, { what, remedy }: FailureText): BuildFileReading {
  return { pieces: [], target: null, fault: { what: `${quoted([name])}: ${what}`, remedy } };
}

async function readForEsp(name: string, bytes: Uint8Array, model: string): Promise<BuildFileReading> {
  const chip = chipNames.find((known) => known === model) ?? null;
  const { files, conflicts, leftOut } = placeEspFiles([{ name, bytes }], { chip });
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    return { pieces: [], target: null, fault: { what: conflict.what, remedy: conflict.remedy } };
  }
  if (files.length === 0) {
    const why = leftOut[0]?.why ?? 'The archive holds no file for flash.';
    return unreadable(name, { what: why, remedy: 'Choose the files that your build wrote.' });
  }
  const pieces = files.map(async (file) => ({
    name: file.name,
    offset: file.offset,
    size: file.bytes.length,
    reading: await readFirmware(file.bytes),
  }));
  return { pieces: await Promise.all(pieces), target: null, fault: null };
}

/** Names of firmware in an archive. A build's archive contains other files, too. */
const stmFirmware = new RegExp(`\\.(?:${['bin', ...memoryFileExtensions].join('|')})$`, 'i');

async function readForStm(name: string, bytes: Uint8Array): Promise<BuildFileReading> {
  if (!startsLikeZip(bytes)) {
    return stmFile(name, bytes);
  }
  const inside = readNestedZip(bytes).filter(
    (file) => stmFirmware.test(file.name) || isMemoryFile(file.name, file.bytes),
  );
  const files = await Promise.all(inside.map((file) => stmFile(`${name}/${file.name}`, file.bytes)));
  if (files.length === 0) {
    const remedy = 'Choose the files that your build wrote.';
    return unreadable(name, { what: 'The archive holds no file for flash.', remedy });
  }
  return {
    pieces: files.flatMap(({ pieces }) => pieces),
    target: files.find(({ target }) => target !== null)?.target ?? null,
    fault: files.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

async function stmFile(name: string, bytes: Uint8Array): Promise<BuildFileReading> {
  const foreign = foreignElf(bytes, 'stm');
  if (foreign !== null) {
    return unreadable(name, notFirmwareText(foreign));
  }
  const memory = readMemoryFile(bytes, stmFlashStart, { name, own: stmChips });
  return { pieces: await Promise.all(piecesOf(name, memory)), target: memory.target, fault: null };
}

function piecesOf(name: string, { segments }: MemoryFile): Promise<BuildFilePiece>[] {
  return segments.map(async ({ address, bytes }) => ({
    name,
    offset: address,
    size: bytes.length,
    reading: await readFirmware(bytes),
  }));
}

async function readForNrf(name: string, bytes: Uint8Array): Promise<BuildFileReading> {
  const { chip } = await readNrfFirmware(name, bytes);
  return { pieces: [], target: chip, fault: null };
}

/** Names of firmware in an archive of the Arduino tools, without the files that contain the bootloader. */
const avrFirmware = /\.(?:hex|ihex|ihx|eep|elf|bin|srec|s19|s28|s37|mot)$/i;

async function readForAvr(name: string, bytes: Uint8Array): Promise<BuildFileReading> {
  if (!startsLikeZip(bytes)) {
    return avrFile(name, bytes);
  }
  const inside = readNestedZip(bytes).filter((file) => avrFirmware.test(file.name));
  const files = await Promise.all(inside.map((file) => avrFile(`${name}/${file.name}`, file.bytes)));
  if (files.length === 0) {
    const remedy = 'Choose the files that your build wrote.';
    return unreadable(name, { what: 'The archive holds no file for flash.', remedy });
  }
  return {
    pieces: files.flatMap(({ pieces }) => pieces),
    target: null,
    fault: files.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

/** Reads a file as the flasher does, which refuses one with a bootloader in it before it knows the board. */
async function avrFile(name: string, bytes: Uint8Array): Promise<BuildFileReading> {
  const file = readAvrFile(bytes, name);
  const [refusal] = planAvr({ files: [{ ...file, name }], board: null }).refusals;
  if (refusal !== undefined) {
    return { pieces: [], target: null, fault: { what: refusal.what, remedy: refusal.remedy } };
  }
  const stretches = [
    ...file.segments,
    ...file.eeprom.map((segment) => ({ ...segment, address: AVR_EEPROM_START + segment.address })),
  ];
  const pieces = stretches.map(async (segment) => ({
    name,
    offset: segment.address,
    size: segment.bytes.length,
    reading: await readFirmware(segment.bytes),
  }));
  return { pieces: await Promise.all(pieces), target: null, fault: null };
}

/** Names of firmware in an archive of the Pico SDK, which holds maps and listings as well. */
const rpFirmware = /\.(?:uf2|elf|hex|bin)$/i;

async function readForRp(name: string, bytes: Uint8Array, model: string): Promise<BuildFileReading> {
  if (!startsLikeZip(bytes)) {
    return rpFile(name, bytes, model);
  }
  const inside = readNestedZip(bytes).filter((file) => rpFirmware.test(file.name));
  const files = await Promise.all(inside.map((file) => rpFile(`${name}/${file.name}`, file.bytes, model)));
  if (files.length === 0) {
    const remedy = 'Choose the files that your build wrote.';
    return unreadable(name, { what: 'The archive holds no file for flash.', remedy });
  }
  return {
    pieces: files.flatMap(({ pieces }) => pieces),
    target: files.find(({ target }) => target !== null)?.target ?? null,
    fault: files.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

/** Reads the program for the chip of the build. A file for both chips is written to each with its own program. */
async function rpFile(name: string, bytes: Uint8Array, model: string): Promise<BuildFileReading> {
  const foreign = foreignElf(bytes, 'rp');
  if (foreign !== null) {
    return unreadable(name, notFirmwareText(foreign));
  }
  const { programs } = readRpFirmware(name, bytes, rpFlashStart);
  const own = programs.filter(({ chips }) => chips.length === 0 || chips.some((chip) => chip.toLowerCase() === model));
  const [program] = own;
  if (program === undefined) {
    return { pieces: [], target: programs[0]?.chips[0] ?? null, fault: null };
  }
  if (program.flash.length === 0) {
    const remedy = 'Build it for flash.';
    return unreadable(name, { what: 'It holds a program for RAM: nothing of it goes into flash.', remedy });
  }
  const named = program.image?.chip ?? null;
  const pieces = program.flash.map(async (segment) => ({
    name,
    offset: segment.address,
    size: segment.bytes.length,
    reading: await readFirmware(segment.bytes),
  }));
  return { pieces: await Promise.all(pieces), target: named, fault: null };
}
