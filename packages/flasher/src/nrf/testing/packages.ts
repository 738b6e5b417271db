/** Builds packages and images for tests, as nrfutil, adafruit-nrfutil and imgtool do. */
import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { asciiBytes, viewOf } from '../../core/bytes.ts';
import { crc16 } from '../crc16.ts';

export function zipOf(files: Readonly<Record<string, Uint8Array | object>>): Uint8Array {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    content instanceof Uint8Array ? content : asciiBytes(JSON.stringify(content)),
  ]);
  return zipSync(Object.fromEntries(entries));
}

export interface InitFields {
  readonly type?: number;
  readonly firmwareVersion?: number;
  readonly hardwareVersion?: number;
  readonly softdevices?: readonly number[];
  readonly softdeviceSize?: number;
  readonly bootloaderSize?: number;
  /** Null: unsigned. */
  readonly signature?: Uint8Array | null;
}

/**
 * Builds an init packet of secure DFU for `image`; default type is application. The signature is a dummy of 64 bytes.
 */
export function initPacketOf(image: Uint8Array, fields: InitFields = {}): Uint8Array {
  const { type = 0, softdeviceSize = 0, bootloaderSize = 0, signature = new Uint8Array(64).fill(7) } = fields;
  const hash = new Uint8Array(createHash('sha256').update(image).digest()).toReversed();
  const init = [
    ...numberField(1, fields.firmwareVersion ?? 1),
    ...numberField(2, fields.hardwareVersion ?? 52),
    ...bytesField(3, Uint8Array.from((fields.softdevices ?? [0]).flatMap(varint))),
    ...numberField(4, type),
    ...numberField(5, softdeviceSize),
    ...numberField(6, bootloaderSize),
    ...numberField(7, type === 0 ? image.length : 0),
    ...bytesField(8, [...numberField(1, 3), ...bytesField(2, hash)]),
    ...numberField(9, 0),
  ];
  const command = [...numberField(1, 1), ...bytesField(2, init)];
  return Uint8Array.from(
    signature === null
      ? bytesField(1, command)
      : bytesField(2, [...bytesField(1, command), ...numberField(2, 0), ...bytesField(3, signature)]),
  );
}

export function securePackage(image: Uint8Array, fields: InitFields = {}): Uint8Array {
  return zipOf({
    'manifest.json': { manifest: { application: { bin_file: 'app.bin', dat_file: 'app.dat' } } },
    'app.bin': image,
    'app.dat': initPacketOf(image, fields),
  });
}

export interface LegacyFields {
  readonly deviceType?: number;
  readonly deviceRevision?: number;
  readonly version?: number;
  readonly softdevices?: readonly number[];
}

export function legacyInitPacketOf(image: Uint8Array, fields: LegacyFields = {}): Uint8Array {
  const { softdevices = [0xfffe] } = fields;
  const packet = new Uint8Array(12 + 2 * softdevices.length);
  const view = viewOf(packet);
  view.setUint16(0, fields.deviceType ?? 0x0052, true);
  view.setUint16(2, fields.deviceRevision ?? 0xffff, true);
  view.setUint32(4, fields.version ?? 0xffff_ffff, true);
  view.setUint16(8, softdevices.length, true);
  softdevices.forEach((id, index) => {
    view.setUint16(10 + 2 * index, id, true);
  });
  view.setUint16(10 + 2 * softdevices.length, crc16(image, 0xffff), true);
  return packet;
}

export function legacyPackage(image: Uint8Array, fields: LegacyFields = {}): Uint8Array {
  return zipOf({
    'manifest.json': {
      manifest: { application: { bin_file: 'app.bin', dat_file: 'app.dat' }, dfu_version: 0.5 },
    },
    'app.bin': image,
    'app.dat': legacyInitPacketOf(image, fields),
  });
}

export interface McubootFields {
  readonly version?: readonly [major: number, minor: number, revision: number, build: number];
  readonly signed?: boolean;
  /** True: add a security counter to the protected records. */
  readonly counter?: boolean;
}

export function mcubootImageOf(body: Uint8Array, fields: McubootFields = {}): Uint8Array {
  const [major, minor, revision, build] = fields.version ?? [1, 2, 3, 4];
  const counter = fields.counter ? [...short(0x6908), ...short(12), ...short(0x50), ...short(4), 1, 0, 0, 0] : [];
  const header = new Uint8Array(32);
  const view = viewOf(header);
  view.setUint32(0, 0x96f3b83d, true);
  view.setUint16(8, 32, true);
  view.setUint16(10, counter.length, true);
  view.setUint32(12, body.length, true);
  header.set([major, minor], 20);
  view.setUint16(22, revision, true);
  view.setUint32(24, build, true);
  const hashed = Uint8Array.from([...header, ...body, ...counter]);
  const hash = createHash('sha256').update(hashed).digest();
  const signature = new Uint8Array(70).fill(9);
  const records = [
    ...record(0x10, hash),
    ...(fields.signed === false ? [] : [...record(0x01, new Uint8Array(32)), ...record(0x22, signature)]),
  ];
  return Uint8Array.from([...hashed, ...short(0x6907), ...short(records.length + 4), ...records]);
}

function record(type: number, value: Uint8Array): number[] {
  return [...short(type), ...short(value.length), ...value];
}

function short(value: number): number[] {
  return [value & 0xff, value >> 8];
}

function numberField(field: number, value: number): number[] {
  return [...varint(field * 8), ...varint(value)];
}

function bytesField(field: number, value: ArrayLike<number>): number[] {
  return [...varint(field * 8 + 2), ...varint(value.length), ...Array.from(value)];
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}
