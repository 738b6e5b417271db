/**
 * Reads the file that a person chose: a package of nrfutil, adafruit-nrfutil or nRF Connect SDK, or a single MCUboot
 * image. Other files are refused with a remedy.
 */

import { addressText } from '../../core/bytes.ts';
import { notFirmware, notFirmwareText } from '../../images/contents/not-firmware.ts';
import { endsLikeDfu } from '../../images/formats/dfu-suffix.ts';
import { formatOf, isMemoryFormat, type MemoryFormatKind } from '../../images/formats/formats.ts';
import type { MemoryFormat } from '../../images/formats/image-format.ts';
import { startsLikeMcuboot } from '../../images/formats/mcuboot.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { startsLikeZip, type ZipFile } from '../../images/formats/zip.ts';
import { ImageError, imageFaultText } from '../../images/image-error.ts';
import { readDfuPackage } from './dfu-package.ts';
import { readManifest } from './manifest.ts';
import { partBehindImage } from './mcuboot-image.ts';
import { leftOutText, mcubootImage, readMcubootPackage, withoutSuffix } from './mcuboot-package.ts';
import { nordicPartText } from './memory-map.ts';
import type { LeftOutPart, NordicFirmware } from './nordic-firmware.ts';
import { PackageError } from './package-fault.ts';
import { openArchive, packageIn, severalPackages } from './packages-in.ts';
import { uf2Error } from './uf2-files.ts';

/**
 * Reads the firmware, and checks its images against their sizes, checksums and hashes.
 *
 * @param name Name of the file, for the report.
 * @throws PackageError.
 */
export async function readNordicFirmware(name: string, bytes: Uint8Array): Promise<NordicFirmware> {
  const kind = formatOf(bytes)?.kind;
  if (kind === 'dfu') {
    return readNordicFirmware(name, withoutSuffix(bytes));
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

async function readArchive(files: readonly ZipFile[]): Promise<NordicFirmware> {
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
async function readLooseImage(files: readonly ZipFile[]): Promise<NordicFirmware> {
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
  return readNordicFirmware(file.name, file.bytes);
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

/** Classifies a segment next to the image. imgtool writes a slot's trailer as a separate segment of a .hex file. */
function besideImage({ address, bytes }: MemorySegment, image: MemorySegment): LeftOutPart {
  const kind = address > image.address ? partBehindImage(bytes) : 'data';
  return kind === 'padding' || kind === 'trailer'
    ? { kind, what: leftOutText(kind, bytes.length) }
    : { kind: 'memory', what: nordicPartText(address, bytes.length) };
}

function segmentsOf(format: MemoryFormat, bytes: Uint8Array): readonly MemorySegment[] {
  try {
    return format.read(bytes).segments;
  } catch (cause) {
    if (!(cause instanceof ImageError)) {
      throw cause;
    }
    const { remedy } = imageFaultText[cause.code];
    throw new PackageError('text-damaged', { cause, what: `${format.name}: ${cause.message}`, remedy });
  }
}

const isText = (kind: MemoryFormatKind) => kind === 'intel-hex' || kind === 's-record';

function otherFile(bytes: Uint8Array): PackageError {
  const not = notFirmware(bytes, 'nordic');
  switch (formatOf(bytes)?.kind) {
    case 'uf2':
      return uf2Error(bytes);
    case 'elf':
      return not === null || not.contents === 'elf'
        ? new PackageError('plain-elf')
        : new PackageError('not-firmware', notFirmwareText(not));
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
