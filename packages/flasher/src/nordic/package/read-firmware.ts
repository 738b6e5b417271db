/**
 * From a file that a person chose to what is written: a package of nrfutil, adafruit-nrfutil or nRF Connect SDK, or a single MCUboot
 * image. Whatever else it is, is refused with what to do about it.
 */

import { notFirmware, notFirmwareText } from '../../images/contents/not-firmware.ts';
import { formatOf, isMemoryFormat } from '../../images/formats/formats.ts';
import { startsLikeMcuboot } from '../../images/formats/mcuboot.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import { readZip, type ZipFile } from '../../images/formats/zip.ts';
import { ImageError } from '../../images/image-error.ts';
import { readDfuPackage } from './dfu-package.ts';
import { readManifest } from './manifest.ts';
import { mcubootImage, readMcubootPackage } from './mcuboot-package.ts';
import type { NordicFirmware } from './nordic-firmware.ts';
import { PackageError } from './package-fault.ts';

/**
 * @param name of the file, for the report.
 * @throws PackageError, its image files checked against their sizes, checksums and hashes.
 */
export async function readNordicFirmware(name: string, bytes: Uint8Array): Promise<NordicFirmware> {
  if (formatOf(bytes)?.kind === 'zip') {
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
  const format = formatOf(bytes);
  if (format?.kind === 'mcuboot') {
    return bytes;
  }
  if (!isMemoryFormat(format) || !isText(format.kind)) {
    return null;
  }
  try {
    const [segment, ...others] = format.read(bytes).segments;
    return segment !== undefined && others.length === 0 && startsLikeMcuboot(segment.bytes) ? segment.bytes : null;
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}

const isText = (kind: string) => kind === 'intel-hex' || kind === 's-record';

function otherFile(bytes: Uint8Array): PackageError {
  const kind = formatOf(bytes)?.kind;
  if (kind === 'uf2') {
    return new PackageError('uf2-file');
  }
  const not = notFirmware(bytes, 'nordic');
  if (kind === 'elf' && (not === null || not.contents === 'elf')) {
    return new PackageError('plain-elf');
  }
  if (isText(kind ?? not?.contents ?? '')) {
    return new PackageError('plain-hex');
  }
  if (not !== null) {
    return new PackageError('not-firmware', { text: notFirmwareText(not) });
  }
  return new PackageError(vectorTableOf(bytes) === null ? 'not-a-package' : 'plain-bin');
}
