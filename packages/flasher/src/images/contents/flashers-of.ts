/**
 * Finds the flashers that a file may be for, whichever one is open. The contents decide: the header of an image, the
 * family in a UF2 file, the processor of an ELF file, the addresses and the first bytes of a program.
 */
import { type familyIds, familyTraits } from '@wirebench/boards';
import { givenText } from '@wirebench/port/given-text';
import { zipSync } from 'fflate';
import { viewOf } from '../../core/bytes.ts';
import { folderOf } from '../../core/folders.ts';
import { listKindOf } from '../../esp/build-output/file-list.ts';
import { type ImagePart, imagePartOf } from '../../esp/images/image-part.ts';
import { isSecondStage } from '../../rp/files/second-stage.ts';
import { readDfuSuffix } from '../formats/dfu-suffix.ts';
import { formatOf, isMemoryFormat } from '../formats/formats.ts';
import { startsLikeMcuboot } from '../formats/mcuboot.ts';
import { vectorTableOf } from '../formats/memory-file.ts';
import type { MemorySegment } from '../formats/memory-segments.ts';
import { readUf2 } from '../formats/uf2.ts';
import { readZip, type ZipFile } from '../formats/zip.ts';
import { orNull } from '../image-error.ts';
import { isObject, parseJson } from '../json-fields.ts';
import { contentsOf } from './contents.ts';
import { armFamilies, elfTargetOf } from './elf-target.ts';

type Family = (typeof familyIds)[number];

/**
 * Returns the families whose flashers take the file, the likeliest first; none if the contents do not say it.
 *
 * @param name Path. Lists of files are known by their names, and so is an `.eep`.
 * @param bytes The file, or its beginning for an ELF file.
 */
export function flashersOf(name: string, bytes: Uint8Array): readonly Family[] {
  const list = listKindOf(name);
  if (list !== null) {
    const builds = orNull(() => parseJson(givenText(bytes))['builds']) ?? null;
    return list === 'manifest-perhaps' && builds === null ? [] : ['esp'];
  }
  if (/\.eep$/i.test(name)) {
    return ['avr'];
  }
  const format = formatOf(bytes);
  switch (format?.kind) {
    case 'zip':
      // An archive that is still packed is a package: all others were opened.
      return ['nrf'];
    case 'dfuse':
      return ['stm'];
    case 'dfu': {
      const content = orNull(() => readDfuSuffix(bytes).content);
      const found = content === null ? [] : flashersOf(name, content);
      return found.length === 0 ? ['stm'] : found;
    }
    case 'uf2':
      return familiesOfUf2(bytes);
    case 'elf':
      return elfTargetOf(bytes)?.families ?? [];
    case 'mcuboot':
      return familiesOfMcuboot(bytes);
    default:
      return isMemoryFormat(format) ? ofSegments(orNull(() => format.read(bytes).segments) ?? []) : ofProgram(bytes);
  }
}

/** USB and UF2 names of chips, by their beginnings. */
const chipNames: readonly (readonly [RegExp, Family])[] = [
  [/^ESP/, 'esp'],
  [/^STM32/, 'stm'],
  [/^nRF|nRF52/, 'nrf'],
  [/^ATmega/, 'avr'],
  [/^RP2/, 'rp'],
];

function familiesOfUf2(bytes: Uint8Array): readonly Family[] {
  // Blocks of one family may be missing: a damaged file is for its chips as well.
  const programs = orNull(() => readUf2(bytes, { includes: () => false })) ?? [];
  const named = programs.flatMap(({ family }) => chipNames.find(([pattern]) => pattern.test(family ?? ''))?.[1] ?? []);
  const unnamed = programs.filter(({ familyId }) => familyId === null).flatMap(({ segments }) => ofSegments(segments));
  return [...new Set([...named, ...unnamed])];
}

/** Magic of the load header that Espressif's port of MCUboot expects behind the header of the image. */
const ESP_LOAD_HEADER = 0xace637d3;

function familiesOfMcuboot(bytes: Uint8Array): readonly Family[] {
  const view = viewOf(bytes);
  const at = bytes.length > 12 ? view.getUint16(8, true) : 0;
  const isEsp = at > 0 && at + 4 <= bytes.length && view.getUint32(at, true) === ESP_LOAD_HEADER;
  return isEsp ? ['esp'] : ['nrf', 'stm'];
}

function ofSegments(segments: readonly MemorySegment[]): readonly Family[] {
  for (const { address, bytes } of segments) {
    if (address >= 0x0800_0000) {
      return armFamilies([{ address, size: bytes.length, bytes }]);
    }
    const found = startsLikeMcuboot(bytes) ? familiesOfMcuboot(bytes) : ofProgram(bytes);
    if (found.length > 0) {
      // The bytes are below the flash of the families whose flash does not begin at 0.
      return found.filter((family, index) => index === 0 || familyTraits[family].flashStart === 0);
    }
  }
  // The programs of the other families begin with a mark at 0: an image's header, or a vector table.
  const [first] = segments;
  return first?.address === 0 && segments.length === 1 && first.bytes.length <= LARGEST_AVR_FLASH ? ['avr'] : [];
}

/** Flash of the ATmega2560, in bytes (data sheet, "Memories"). */
const LARGEST_AVR_FLASH = 262_144;

/** Parts of flash that Espressif chips alone have. A file system may be for any chip. */
const espParts: readonly ImagePart['kind'][] = ['bootloader', 'app', 'merged', 'partition-table', 'ota-data', 'nvs'];

/** Judges bytes as they are in flash. */
function ofProgram(bytes: Uint8Array): readonly Family[] {
  if (espParts.includes(imagePartOf(bytes).kind)) {
    return ['esp'];
  }
  if (isSecondStage(bytes.subarray(0, 256))) {
    return ['rp'];
  }
  const vectors = vectorTableOf(bytes);
  if (vectors !== null) {
    const families = armFamilies([{ address: vectors.reset, size: 2, bytes: new Uint8Array() }]);
    // Without an address, the program may be for any Arm chip that starts at 0.
    return families.includes('nrf') ? ['nrf', 'stm'] : families;
  }
  if (startsLikeAvr(bytes)) {
    return ['avr'];
  }
  return contentsOf(bytes) === 'table-source' ? ['esp'] : [];
}

/** Number of vectors at the start of a program for an AVR that are looked at. All chips have more. */
const VECTORS = 8;

/**
 * Returns true for a vector table of an AVR: jumps alone, `jmp` in two words or `rjmp` in one (AVR Instruction Set
 * Manual).
 */
function startsLikeAvr(bytes: Uint8Array): boolean {
  if (bytes.length < 4 * VECTORS) {
    return false;
  }
  const view = viewOf(bytes);
  const indexes = Array.from({ length: VECTORS }, (_, index) => index);
  const isLong = indexes.every((index) => (view.getUint16(4 * index, true) & 0xfe0e) === 0x940c);
  return isLong || indexes.every((index) => (view.getUint16(2 * index, true) & 0xf000) === 0xc000);
}

/**
 * Returns true for the files of a DFU package: `manifest.json` of nrfutil and adafruit-nrfutil lists images by kind,
 * that of nRF Connect SDK as `files`.
 *
 * @param files All files of an archive.
 */
export function isDfuPackage(files: readonly ZipFile[]): boolean {
  const manifest = files.find(({ name }) => name === 'manifest.json');
  const json = manifest === undefined ? null : orNull(() => parseJson(givenText(manifest.bytes)));
  const listed = json?.['files'];
  return (
    isObject(json?.['manifest']) ||
    (Array.isArray(listed) && listed.some((file) => isObject(file) && typeof file['file'] === 'string'))
  );
}

/** A package of an archive. */
interface FoundPackage {
  /** Name of the package; null for the archive itself. */
  readonly name: string | null;
  /** The package as a zip archive of its own. */
  readonly bytes: Uint8Array;
}

/**
 * Separates the packages that an archive holds in folders. An archive with one package is that package.
 *
 * @returns null for an archive without a package, apart from those in inner archives.
 * @throws ImageError as `readZip` does.
 */
export function packagesApart(bytes: Uint8Array): readonly FoundPackage[] | null {
  const files = readZip(bytes);
  const inside = (folder: string) =>
    files.flatMap((file) =>
      file.name.startsWith(folder) ? [{ name: file.name.slice(folder.length), bytes: file.bytes }] : [],
    );
  const folders = [...new Set(files.map(({ name }) => folderOf(name)))].filter((folder) =>
    isDfuPackage(inside(folder)),
  );
  if (folders.length < 2) {
    return folders.length === 0 ? null : [{ name: null, bytes }];
  }
  return folders.map((folder) => ({
    name: `${folder.replace(/\/$/, '') || 'package'}.zip`,
    bytes: zipSync(Object.fromEntries(inside(folder).map(({ name, bytes: content }) => [name, content])), { level: 0 }),
  }));
}
