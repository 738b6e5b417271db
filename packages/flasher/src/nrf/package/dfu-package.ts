/** Reads the images of a package of nrfutil or adafruit-nrfutil, and checks each against its init packet. */

import { hexOf, viewOf } from '../../core/bytes.ts';
import type { ZipFile } from '../../images/formats/zip.ts';
import { sha256 } from '../../images/sha256.ts';
import { crc16 } from '../crc16.ts';
import { type InitPacket, readInitPacket } from './init-packet.ts';
import type { DfuEntry } from './manifest.ts';
import type { NrfFirmware, NrfImage, NrfParts } from './nrf-firmware.ts';
import { PackageError, type PackageFault } from './package-fault.ts';

const LEGACY_CRC_START = 0xffff;

/** @throws PackageError. */
export async function readDfuPackage(
  files: readonly ZipFile[],
  entries: readonly DfuEntry[],
  legacy: boolean,
): Promise<NrfFirmware> {
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

interface ReadImage extends Pick<NrfFirmware, 'hardwareVersion' | 'deviceRevision'> {
  readonly format: 'secure-package' | 'legacy-package';
  readonly image: NrfImage;
}

/**
 * The init packet of the legacy bootloader, little endian: device type, revision, version, SoftDevices, and a CRC-16
 * of the image. The extended form has the image's length, hash and signature instead (nRF51 SDK 7.1, "Init packet";
 * Adafruit_nRF52_Bootloader, `dfu_init.c`).
 */

const FIXED_SIZE = 10;
/** Values that match anything in fields of two and four bytes (adafruit-nrfutil, `Package`). */
const ANY_SHORT = 0xffff;
const ANY_LONG = 0xffff_ffff;
/** `DFU_SOFTDEVICE_ANY`. */
const ANY_SOFTDEVICE = 0xfffe;

/** Kinds of the extended part (`DFU_INIT_PACKET_USES_…`), and the lengths of its fields in bytes. */
const extended = { crc16: 0, hash: 1, signature: 2 } as const;
const HASH_LENGTH = 32;
const SIGNATURE_LENGTH = 64;

interface LegacyInitPacket {
  /** Null: any. */
  readonly deviceType: number | null;
  readonly deviceRevision: number | null;
  /** Null if not stated. */
  readonly applicationVersion: number | null;
  /** Firmware IDs of compatible SoftDevices; empty for any. */
  readonly softdevices: readonly number[];
  /** CRC-16 of the image. Packets with a length and SHA-256 have null here. */
  readonly crc16: number | null;
  readonly length: number | null;
  /** SHA-256 of the image as lower-case hexadecimal. */
  readonly hash: string | null;
  readonly signed: boolean;
}

/** Returns null if the bytes are not such a packet. */
export function readLegacyInitPacket(bytes: Uint8Array): LegacyInitPacket | null {
  if (bytes.length < FIXED_SIZE) {
    return null;
  }
  const view = viewOf(bytes);
  const count = view.getUint16(8, true);
  const end = FIXED_SIZE + 2 * count;
  const proof = end > bytes.length ? null : readProof(bytes.subarray(end));
  if (proof === null) {
    return null;
  }
  const softdevices = Array.from({ length: count }, (_, index) => view.getUint16(FIXED_SIZE + 2 * index, true));
  return {
    deviceType: unlessAny(view.getUint16(0, true), ANY_SHORT),
    deviceRevision: unlessAny(view.getUint16(2, true), ANY_SHORT),
    applicationVersion: unlessAny(view.getUint32(4, true), ANY_LONG),
    softdevices: softdevices.includes(ANY_SOFTDEVICE) ? [] : softdevices,
    ...proof,
  };
}

type Proof = Pick<LegacyInitPacket, 'crc16' | 'length' | 'hash' | 'signed'>;

/** Reads the part after the SoftDevices: two bytes of CRC, or the extended part. */
function readProof(bytes: Uint8Array): Proof | null {
  const view = viewOf(bytes);
  const none: Proof = { crc16: null, length: null, hash: null, signed: false };
  if (bytes.length === 2) {
    return { ...none, crc16: view.getUint16(0, true) };
  }
  const kind = bytes.length < 6 ? null : view.getUint32(0, true);
  if (kind === extended.crc16) {
    return { ...none, crc16: view.getUint16(4, true) };
  }
  const size = 8 + HASH_LENGTH + (kind === extended.signature ? SIGNATURE_LENGTH : 0);
  if ((kind === extended.hash || kind === extended.signature) && bytes.length >= size) {
    const hash = hexOf(bytes.subarray(8, 8 + HASH_LENGTH));
    return { crc16: null, length: view.getUint32(4, true), hash, signed: kind === extended.signature };
  }
  return null;
}

function unlessAny(value: number, any: number): number | null {
  return value === any ? null : value;
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

function legacyParts({ kind, imageFile, softdeviceSize, bootloaderSize }: DfuEntry, size: number): NrfParts {
  const none: NrfParts = { softdevice: 0, bootloader: 0, application: 0 };
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
