/**
 * Reads the file that a person chose: a package of nrfutil, adafruit-nrfutil or nRF Connect SDK, or a single MCUboot
 * image. Other files are refused with a remedy.
 */

import { addressText, sizeText } from '../../core/bytes.ts';
import { foreignElf, notFirmware, notFirmwareText } from '../../images/contents/not-firmware.ts';
import { endsLikeDfu } from '../../images/formats/dfu-suffix.ts';
import { formatOf, isMemoryFormat, type MemoryFormatKind } from '../../images/formats/formats.ts';
import type { MemoryFormat } from '../../images/formats/image-format.ts';
import { startsLikeMcuboot } from '../../images/formats/mcuboot.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { readUf2, type Uf2Program } from '../../images/formats/uf2.ts';
import { adafruitBootloaderFamily, uf2FamilyText } from '../../images/formats/uf2-families.ts';
import { readNestedZip, startsLikeZip, type ZipFile } from '../../images/formats/zip.ts';
import { ImageError, imageFaultText } from '../../images/image-error.ts';
import { readDfuPackage } from './dfu-package.ts';
import { isPackageManifest, manifestName, readManifest } from './manifest.ts';
import { partBehindImage } from './mcuboot-image.ts';
import { leftOutText, mcubootImage, readMcubootPackage, withoutSuffix } from './mcuboot-package.ts';
import type { LeftOutPart, NrfFirmware } from './nrf-firmware.ts';
import { PackageError, packageFaultText } from './package-fault.ts';

/**
 * Finds the packages in an archive: at its top, in a folder, or in an inner archive, as download pages and build
 * servers pack them.
 */

/**
 * Unpacks an archive with its inner archives.
 *
 * @throws PackageError `package-damaged`.
 */
function openArchive(bytes: Uint8Array): readonly ZipFile[] {
  try {
    return readNestedZip(bytes);
  } catch (cause) {
    if (cause instanceof ImageError) {
      throw new PackageError('package-damaged', { cause, ...(cause.where !== null && { where: cause.where }) });
    }
    throw cause;
  }
}

/**
 * Returns the files of the only package, named relative to its manifest. Null if the archive has no package.
 *
 * @throws PackageError `several-packages` with their names.
 */
function packageIn(files: readonly ZipFile[]): readonly ZipFile[] | null {
  const isManifest = ({ name }: ZipFile) => name === manifestName || name.endsWith(`/${manifestName}`);
  const all = files.filter(isManifest);
  const known = all.filter(({ bytes }) => isPackageManifest(bytes));
  const manifests = known.length > 0 ? known : all;
  const [manifest, ...others] = manifests;
  if (manifest === undefined) {
    return null;
  }
  if (others.length > 0) {
    throw severalPackages(manifests.map(({ name }) => folderOf(name).replace(/\/$/, '') || manifestName));
  }
  const folder = folderOf(manifest.name);
  return files
    .filter(({ name }) => name.startsWith(folder))
    .map(({ name, bytes }) => ({ name: name.slice(folder.length), bytes }));
}

const severalPackages = (names: readonly string[]) =>
  new PackageError('several-packages', { what: `The archive contains several packages: ${names.join(', ')}.` });

const folderOf = (name: string) => name.slice(0, name.lastIndexOf('/') + 1);

/**
 * Reads the firmware, and checks its images against their sizes, checksums and hashes.
 *
 * @param name Name of the file, for the report.
 * @throws PackageError.
 */
export async function readNrfFirmware(name: string, bytes: Uint8Array): Promise<NrfFirmware> {
  const kind = formatOf(bytes)?.kind;
  if (kind === 'dfu') {
    return readNrfFirmware(name, withoutSuffix(bytes));
  }
  if (kind === 'zip') {
    return readArchive(openArchive(bytes));
  }
  const image = imageIn(bytes);
  if (image === null) {
    throw otherFile(bytes);
  }
  return {
    format: 'mcuboot-image',
    images: [await mcubootImage(name, image.bytes, 0, image.leftOut)],
    chip: null,
    hardwareVersion: null,
    deviceRevision: null,
  };
}

async function readArchive(files: readonly ZipFile[]): Promise<NrfFirmware> {
  const found = packageIn(files);
  if (found === null) {
    return readLooseImage(files);
  }
  const manifest = readManifest(found);
  return manifest.kind === 'mcuboot'
    ? readMcubootPackage(found, manifest.entries)
    : readDfuPackage(found, manifest.entries, manifest.legacy);
}

/** Reads the only image of an archive without a manifest. */
async function readLooseImage(files: readonly ZipFile[]): Promise<NrfFirmware> {
  const images = files.filter(({ bytes }) => isImage(bytes));
  // A remaining inner archive could not be opened; reading it gives its own fault.
  const known = files.length === 1 ? files[0] : files.find(({ bytes }) => startsLikeZip(bytes));
  const [file = known, ...others] = images;
  if (file === undefined) {
    throw new PackageError('not-a-package');
  }
  if (others.length > 0) {
    throw severalPackages(images.map(({ name }) => name));
  }
  return readNrfFirmware(file.name, file.bytes);
}

/** Returns true for a file that is meant as firmware: an archive, or an MCUboot image in any format. */
export function isNrfFirmware(bytes: Uint8Array): boolean {
  return startsLikeZip(bytes) || isImage(bytes);
}

function isImage(bytes: Uint8Array): boolean {
  try {
    return imageIn(endsLikeDfu(bytes) ? withoutSuffix(bytes) : bytes) !== null;
  } catch (error) {
    if (error instanceof PackageError) {
      return false;
    }
    throw error;
  }
}

interface FoundImage {
  readonly bytes: Uint8Array;
  readonly leftOut: readonly LeftOutPart[];
}

/**
 * Finds an MCUboot image in a file. A signed .hex is the same image with its address. Returns null if there is no
 * image.
 *
 * @throws PackageError `text-damaged`, `several-images`.
 */
function imageIn(bytes: Uint8Array): FoundImage | null {
  const format = formatOf(bytes);
  if (format?.kind === 'mcuboot') {
    return { bytes, leftOut: [] };
  }
  if (!isMemoryFormat(format) || !isText(format.kind)) {
    return null;
  }
  const segments = segmentsOf(format, bytes);
  const images = segments.filter((segment) => startsLikeMcuboot(segment.bytes));
  const [image, ...others] = images;
  if (image === undefined) {
    return null;
  }
  if (others.length > 0) {
    throw new PackageError('several-images', {
      where: images.map(({ address }) => addressText(address)).join(' and '),
    });
  }
  return {
    bytes: image.bytes,
    leftOut: segments.filter((segment) => segment !== image).map((segment) => besideImage(segment, image)),
  };
}

/**
 * Names the memory of a Nordic chip outside of its flash. Sources: the product specifications, "Memory map", of
 * nRF51822, nRF52832, nRF52840, nRF5340, nRF9160 and nRF54L15.
 */

const KIB = 1_024;

/** Memory areas: name, start, size. The first match counts. */
const rows = [
  // In this order: nRF51 and nRF52; nRF53 and nRF91; network core of nRF53; nRF54L.
  ['UICR', 0x1000_1000, 4 * KIB],
  ['UICR', 0x00ff_8000, 4 * KIB],
  ['UICR', 0x01ff_8000, 4 * KIB],
  ['UICR', 0x00ff_d000, 4 * KIB],
  ['FICR', 0x1000_0000, 4 * KIB],
  ['FICR', 0x00ff_0000, 4 * KIB],
  ['FICR', 0x01ff_0000, 4 * KIB],
  ['FICR', 0x00ff_c000, 4 * KIB],
  ['external flash (QSPI)', 0x1000_0000, 0x1000_0000],
  ['RAM', 0x2000_0000, 0x2000_0000],
] as const;

/** Returns `12 bytes for UICR at 0x10001000`, or `40 KiB at 0x0` for flash. */
function nrfPartText(address: number, size: number): string {
  const [name] = rows.find(([, start, length]) => address >= start && address < start + length) ?? [];
  return `${sizeText(size)}${name === undefined ? '' : ` for ${name}`} at ${addressText(address)}`;
}

/** Classifies a segment next to the image. imgtool writes a slot's trailer as a separate segment of a .hex file. */
function besideImage({ address, bytes }: MemorySegment, image: MemorySegment): LeftOutPart {
  const kind = address > image.address ? partBehindImage(bytes) : 'data';
  return kind === 'padding' || kind === 'trailer'
    ? { kind, what: leftOutText(kind, bytes.length) }
    : { kind: 'memory', what: nrfPartText(address, bytes.length) };
}

function segmentsOf(format: MemoryFormat, bytes: Uint8Array): readonly MemorySegment[] {
  try {
    return format.read(bytes).segments;
  } catch (cause) {
    if (!(cause instanceof ImageError)) {
      throw cause;
    }
    const { remedy } = imageFaultText[cause.code];
    const isOther = cause.code === 'hex-universal';
    throw new PackageError(isOther ? 'not-firmware' : 'text-damaged', {
      cause,
      what: isOther ? cause.message : `${format.name}: ${cause.message}`,
      remedy,
    });
  }
}

const isText = (kind: MemoryFormatKind) => kind === 'intel-hex' || kind === 's-record';

/**
 * Describes UF2 files, which no bootloader accepts over a serial port, so that a person copies the right one to the
 * board's drive. Sources: Adafruit_nRF52_Bootloader (`uf2cfg.h`, README), and the release notes of Nordic's
 * SoftDevices for the flash that each needs.
 */

/** Adafruit's USB vendor ID. Its bootloader also accepts board IDs as families: vendor ID, then product ID. */
const ADAFRUIT_VENDOR = 0x239a;
/** Families of the nRF52832, which begins its programs elsewhere. */
const nrf52832: readonly (number | null)[] = [0x1b57745f, 0x72721d4e, 0x6f752678];
/** End of the flash of the largest part with such a bootloader. */
const FLASH_END = 0x10_0000;

/** First address after the SoftDevice, where the application begins → SoftDevice. */
const softdevices: ReadonlyMap<number, string> = new Map([
  [0x1000, 'no SoftDevice: it begins right behind the MBR'],
  [0x1_9000, 'SoftDevice S112 7.x'],
  [0x1_c000, 'SoftDevice S113 7.x'],
  [0x2_6000, 'SoftDevice S140 6.x (6.1.1)'],
  [0x2_7000, 'SoftDevice S140 7.x (7.3.0)'],
]);
/** The same for the nRF52832. */
const softdevices832: ReadonlyMap<number, string> = new Map([
  [0x1000, 'no SoftDevice: it begins right behind the MBR'],
  [0x2_3000, 'SoftDevice S132 5.x'],
  [0x2_6000, 'SoftDevice S132 6.x or 7.x'],
]);

const own = { includes: (family: string) => family.startsWith('nRF') };

/** Returns the error for a UF2 file: it cannot be written here, and what it is for. */
function uf2Error(bytes: Uint8Array): PackageError {
  let programs: readonly Uf2Program[];
  try {
    programs = readUf2(bytes, own);
  } catch (cause) {
    if (!(cause instanceof ImageError)) {
      throw cause;
    }
    const { remedy } = imageFaultText[cause.code];
    return new PackageError('uf2-file', { cause, what: `This UF2 file cannot be used. ${cause.message}`, remedy });
  }
  const nrf = programs.filter(isNrf);
  const others = programs.filter((program) => !isNrf(program));
  if (nrf.length === 0) {
    const names = [...new Set(programs.map(({ familyId }) => uf2FamilyText(familyId)))].join(' and ');
    const what = `This UF2 file is for ${names}, not for a Nordic chip.`;
    return new PackageError('uf2-other-chip', { what });
  }
  const sentences = [
    ...nrf.map(programText),
    ...others.map((program) => `It also holds ${sizeText(sizeOf(program))} for ${uf2FamilyText(program.familyId)}.`),
    packageFaultText['uf2-file'].what.replace('This is a UF2 file: it', 'It'),
  ];
  const { remedy } = packageFaultText['uf2-file'];
  const compare = ' INFO_UF2.TXT names the board and its SoftDevice: compare them before you copy the file.';
  return new PackageError('uf2-file', { what: sentences.join(' '), remedy: `${remedy}${compare}` });
}

function isNrf({ familyId, family }: Uf2Program): boolean {
  const isAdafruit =
    familyId !== null && (familyId === adafruitBootloaderFamily || familyId >>> 16 === ADAFRUIT_VENDOR);
  return familyId === null || isAdafruit || (family !== null && own.includes(family));
}

function programText({ familyId, segments }: Uf2Program): string {
  const outside = segments
    .filter(({ address }) => address >= FLASH_END)
    .map(({ address, bytes }) => nrfPartText(address, bytes.length));
  const more = outside.length === 0 ? '' : ` It contains ${outside.join(', ')}.`;
  if (familyId === adafruitBootloaderFamily) {
    return `This UF2 file replaces the bootloader of an nRF52 board by Adafruit's: it has to be the one for this very board.${more}`;
  }
  const start = segments[0]?.address ?? 0;
  const fits = (nrf52832.includes(familyId) ? softdevices832 : softdevices).get(start);
  const chip = familyId === null || familyId >>> 16 === ADAFRUIT_VENDOR ? '' : ` for ${uf2FamilyText(familyId)}`;
  const place = `This is a UF2 file${chip} that starts at ${addressText(start)}`;
  return fits === undefined
    ? `${place}: no SoftDevice that is known here ends there.${more}`
    : `${place}: it fits ${fits}.${more}`;
}

const sizeOf = ({ segments }: Uf2Program) => segments.reduce((sum, { bytes }) => sum + bytes.length, 0);

function otherFile(bytes: Uint8Array): PackageError {
  const not = notFirmware(bytes, 'nrf');
  switch (formatOf(bytes)?.kind) {
    case 'uf2':
      return uf2Error(bytes);
    case 'elf': {
      const foreign = foreignElf(bytes, 'nrf');
      return foreign === null
        ? new PackageError('plain-elf')
        : new PackageError('not-firmware', notFirmwareText(foreign));
    }
    case 'intel-hex':
      return new PackageError('plain-hex');
    case 's-record':
      return new PackageError('plain-s-record');
    case 'dfuse':
      return new PackageError('dfuse-file');
    default:
      return not === null
        ? new PackageError(vectorTableOf(bytes) === null ? 'not-a-package' : 'plain-bin')
        : new PackageError('not-firmware', notFirmwareText(not));
  }
}
