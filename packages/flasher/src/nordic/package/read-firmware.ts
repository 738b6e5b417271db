/**
 * From a file that a person chose to what is written: a package of nrfutil, adafruit-nrfutil or nRF Connect SDK, or a single MCUboot
 * image. Whatever else it is, is refused with what to do about it.
 */

import { startsLikeElf } from '../../images/formats/elf.ts';
import { readIntelHex, startsLikeIntelHex } from '../../images/formats/intel-hex.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import { startsLikeUf2 } from '../../images/formats/uf2.ts';
import { readZip, startsLikeZip, type ZipFile } from '../../images/formats/zip.ts';
import { ImageError } from '../../images/image-error.ts';
import { readDfuPackage } from './dfu-package.ts';
import { readManifest } from './manifest.ts';
import { startsLikeMcuboot } from './mcuboot-image.ts';
import { mcubootImage, readMcubootPackage } from './mcuboot-package.ts';
import type { NordicFirmware } from './nordic-firmware.ts';
import { PackageError } from './package-fault.ts';

/**
 * @param name of the file, for the report.
 * @throws PackageError, its image files checked against their sizes, checksums and hashes.
 */
export async function readNordicFirmware(name: string, bytes: Uint8Array): Promise<NordicFirmware> {
  if (startsLikeZip(bytes)) {
    const files = unzip(bytes);
    const manifest = readManifest(files);
    return manifest.kind === 'mcuboot'
      ? readMcubootPackage(files, manifest.entries)
      : readDfuPackage(files, manifest.entries, manifest.legacy);
  }
  const image = mcubootBytes(bytes);
  if (image === null) {
    throw otherFile(bytes);
  }
  return {
    format: 'mcuboot-image',
    images: [await mcubootImage(name, image)],
    hardwareVersion: null,
    deviceRevision: null,
  };
}

function unzip(bytes: Uint8Array): ZipFile[] {
  try {
    return readZip(bytes);
  } catch (cause) {
    if (cause instanceof ImageError) {
      throw new PackageError('package-damaged', { cause, ...(cause.where !== null && { where: cause.where }) });
    }
    throw cause;
  }
}

/** Null when it is none. A signed .hex is the same image with its address. */
function mcubootBytes(bytes: Uint8Array): Uint8Array | null {
  if (startsLikeMcuboot(bytes)) {
    return bytes;
  }
  if (!startsLikeIntelHex(bytes)) {
    return null;
  }
  try {
    const [segment, ...others] = readIntelHex(bytes).segments;
    return segment !== undefined && others.length === 0 && startsLikeMcuboot(segment.bytes) ? segment.bytes : null;
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}

function otherFile(bytes: Uint8Array): PackageError {
  if (startsLikeUf2(bytes)) {
    return new PackageError('uf2-file');
  }
  if (startsLikeElf(bytes)) {
    return new PackageError('plain-elf');
  }
  if (startsLikeIntelHex(bytes)) {
    return new PackageError('plain-hex');
  }
  return new PackageError(vectorTableOf(bytes) === null ? 'not-a-package' : 'plain-bin');
}
