/** Reads the images of a package of nrfutil or adafruit-nrfutil, and checks each against its init packet. */

import { hexOf } from '../../core/bytes.ts';
import type { ZipFile } from '../../images/formats/zip.ts';
import { sha256 } from '../../images/sha256.ts';
import { crc16 } from '../crc16.ts';
import { type InitPacket, readInitPacket } from './init-packet.ts';
import { type LegacyInitPacket, readLegacyInitPacket } from './legacy-init-packet.ts';
import type { DfuEntry } from './manifest.ts';
import type { NordicFirmware, NordicImage, NordicParts } from './nordic-firmware.ts';
import { PackageError, type PackageFault } from './package-fault.ts';

const LEGACY_CRC_START = 0xffff;

/** @throws PackageError. */
export async function readDfuPackage(
  files: readonly ZipFile[],
  entries: readonly DfuEntry[],
  legacy: boolean,
): Promise<NordicFirmware> {
  const read = await Promise.all(entries.map((entry) => readEntry(files, entry, legacy)));
  const formats = new Set(read.map(({ format }) => format));
  const [format] = formats;
  if (format === undefined || formats.size > 1) {
    throw new PackageError('formats-mixed');
  }
  const first = <Value>(values: readonly (Value | null)[]) => values.find((value) => value !== null) ?? null;
  return {
    format,
    images: read.map(({ image }) => image),
    chip: null,
    hardwareVersion: first(read.map(({ hardwareVersion }) => hardwareVersion)),
    deviceRevision: first(read.map(({ deviceRevision }) => deviceRevision)),
  };
}

interface ReadImage extends Pick<NordicFirmware, 'hardwareVersion' | 'deviceRevision'> {
  readonly format: 'secure-package' | 'legacy-package';
  readonly image: NordicImage;
}

async function readEntry(files: readonly ZipFile[], entry: DfuEntry, legacy: boolean): Promise<ReadImage> {
  const bytes = fileOf(files, entry.imageFile);
  const initPacket = fileOf(files, entry.initFile);
  const secure = legacy ? null : readInitPacket(initPacket);
  if (secure !== null) {
    return secureImage(entry, bytes, initPacket, secure);
  }
  const plain = readLegacyInitPacket(initPacket);
  if (plain === null) {
    throw new PackageError('init-packet-damaged', { where: entry.initFile });
  }
  return legacyImage(entry, bytes, initPacket, plain);
}

async function secureImage(
  { kind, imageFile, initFile }: DfuEntry,
  bytes: Uint8Array,
  initPacket: Uint8Array,
  init: InitPacket,
): Promise<ReadImage> {
  const isApplication = init.type === 'application' || init.type === 'external-application';
  if (kind !== (isApplication ? 'application' : init.type)) {
    throw new PackageError('init-packet-type', { where: initFile });
  }
  const size = isApplication ? init.applicationSize : init.softdeviceSize + init.bootloaderSize;
  must(size === bytes.length, 'size-mismatch', imageFile);
  must(init.hash === null || init.hash === hexOf(await sha256(bytes)), 'hash-mismatch', imageFile);
  return {
    format: 'secure-package',
    image: {
      kind,
      name: imageFile,
      bytes,
      initPacket,
      version: init.firmwareVersion === null ? null : String(init.firmwareVersion),
      imageNumber: 0,
      hash: init.hash,
      crc16: null,
      signed: init.signed,
      // 0 is not a SoftDevice: it allows the application to overwrite one.
      softdevices: init.softdevices.filter((id) => id !== 0),
      parts: isApplication
        ? { softdevice: 0, bootloader: 0, application: size }
        : { softdevice: init.softdeviceSize, bootloader: init.bootloaderSize, application: 0 },
      leftOut: [],
    },
    hardwareVersion: init.hardwareVersion,
    deviceRevision: null,
  };
}

async function legacyImage(
  entry: DfuEntry,
  bytes: Uint8Array,
  initPacket: Uint8Array,
  init: LegacyInitPacket,
): Promise<ReadImage> {
  const { kind, imageFile } = entry;
  const crc = crc16(bytes, LEGACY_CRC_START);
  must(init.length === null || init.length === bytes.length, 'size-mismatch', imageFile);
  must(init.crc16 === null || init.crc16 === crc, 'crc-mismatch', imageFile);
  must(init.hash === null || init.hash === hexOf(await sha256(bytes)), 'hash-mismatch', imageFile);
  return {
    format: 'legacy-package',
    image: {
      kind,
      name: imageFile,
      bytes,
      initPacket,
      version: init.applicationVersion === null ? null : String(init.applicationVersion),
      imageNumber: 0,
      hash: null,
      crc16: crc,
      signed: init.signed,
      softdevices: init.softdevices,
      parts: legacyParts(entry, bytes.length),
      leftOut: [],
    },
    hardwareVersion: init.deviceType,
    deviceRevision: init.deviceRevision,
  };
}

function legacyParts({ kind, imageFile, softdeviceSize, bootloaderSize }: DfuEntry, size: number): NordicParts {
  const none: NordicParts = { softdevice: 0, bootloader: 0, application: 0 };
  if (kind !== 'softdevice-bootloader') {
    return { ...none, [kind]: size };
  }
  must(softdeviceSize !== null && softdeviceSize + (bootloaderSize ?? 0) === size, 'size-mismatch', imageFile);
  return { softdevice: softdeviceSize ?? 0, bootloader: bootloaderSize ?? 0, application: 0 };
}

/**
 * Returns the bytes of a file.
 *
 * @throws PackageError `file-missing`, `image-empty`.
 */
export function fileOf(files: readonly ZipFile[], name: string): Uint8Array {
  const file = files.find((candidate) => candidate.name === name);
  if (file === undefined) {
    throw new PackageError('file-missing', { where: name });
  }
  must(file.bytes.length > 0, 'image-empty', name);
  return file.bytes;
}

export function must(holds: boolean, fault: PackageFault, where: string): void {
  if (!holds) {
    throw new PackageError(fault, { where });
  }
}
