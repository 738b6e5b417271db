/**
 * The init packet of secure DFU, the `.dat` file of a package. It is a Protocol Buffers message that describes an
 * image and its target, signed or unsigned. Source: nRF5 SDK 17.1, "Device Firmware Update process", section "Init
 * packet"; schema `dfu-cc.proto`. Only the board can check the signature.
 */
import { hexOf } from '../../core/bytes.ts';

/** Field numbers of `dfu-cc.proto`. */
const packetField = { command: 1, signedCommand: 2 } as const;
const signedField = { command: 1, signatureType: 2, signature: 3 } as const;
const commandField = { opCode: 1, init: 2 } as const;
const initField = {
  firmwareVersion: 1,
  hardwareVersion: 2,
  softdevices: 3,
  type: 4,
  softdeviceSize: 5,
  bootloaderSize: 6,
  applicationSize: 7,
  hash: 8,
  isDebug: 9,
} as const;
const hashField = { type: 1, hash: 2 } as const;

const OP_INIT = 1;
const HASH_SHA256 = 3;
const SHA256_LENGTH = 32;

/** `FwType` in the order of its values. */
const imageTypes = [
  'application',
  'softdevice',
  'bootloader',
  'softdevice-bootloader',
  'external-application',
] as const;
type InitImageType = (typeof imageTypes)[number];

export interface InitPacket {
  readonly type: InitImageType;
  /** Null if the packet does not state it. */
  readonly firmwareVersion: number | null;
  readonly hardwareVersion: number | null;
  /** Firmware IDs of compatible SoftDevices, such as 0x0100. 0: the application overwrites the SoftDevice. */
  readonly softdevices: readonly number[];
  /** Bytes of each part; 0 for missing parts. */
  readonly softdeviceSize: number;
  readonly bootloaderSize: number;
  readonly applicationSize: number;
  /**
   * SHA-256 of the image as lower-case hexadecimal in the usual order (the packet has it reversed). Null for any
   * other kind of hash.
   */
  readonly hash: string | null;
  readonly isDebug: boolean;
  readonly signed: boolean;
}

/**
 * Reads Protocol Buffers messages (Google, "Encoding"): fields of the two wire types that init packets use, in any
 * order.
 */

const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Bytes of a 64-bit number, seven bits each. */
const LONGEST_VARINT = 10;

/** Field number → its values in their order: numbers below 2⁵³, or bytes. */
type ProtobufFields = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

/** Reads a message. Returns null if the bytes are not a complete message of these wire types. */
function readProtobuf(bytes: Uint8Array): ProtobufFields | null {
  const fields = new Map<number, (number | Uint8Array)[]>();
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    const value = key === null ? null : readValue(bytes, key.next, key.value % 8);
    if (key === null || value === null) {
      return null;
    }
    const number = Math.floor(key.value / 8);
    fields.set(number, [...(fields.get(number) ?? []), value.value]);
    at = value.next;
  }
  return fields;
}

/** Returns the numbers of a field, single or packed. Null if they are invalid. */
function numbersIn(fields: ProtobufFields, number: number): number[] | null {
  const numbers: number[] = [];
  for (const value of fields.get(number) ?? []) {
    if (typeof value === 'number') {
      numbers.push(value);
      continue;
    }
    for (let at = 0; at < value.length; ) {
      const entry = readVarint(value, at);
      if (entry === null) {
        return null;
      }
      numbers.push(entry.value);
      at = entry.next;
    }
  }
  return numbers;
}

/** Returns the last value of a field, as the encoding requires; null if there is no number. */
function numberIn(fields: ProtobufFields, number: number): number | null {
  const value = fields.get(number)?.at(-1);
  return typeof value === 'number' ? value : null;
}

function bytesIn(fields: ProtobufFields, number: number): Uint8Array | null {
  const value = fields.get(number)?.at(-1);
  return value instanceof Uint8Array ? value : null;
}

function messageIn(fields: ProtobufFields, number: number): ProtobufFields | null {
  const bytes = bytesIn(fields, number);
  return bytes === null ? null : readProtobuf(bytes);
}

interface Read<Value> {
  readonly value: Value;
  readonly next: number;
}

function readValue(bytes: Uint8Array, at: number, wireType: number): Read<number | Uint8Array> | null {
  const first = wireType === VARINT || wireType === LENGTH_DELIMITED ? readVarint(bytes, at) : null;
  if (first === null || wireType === VARINT) {
    return first;
  }
  const next = first.next + first.value;
  return next > bytes.length ? null : { value: bytes.subarray(first.next, next), next };
}

function readVarint(bytes: Uint8Array, at: number): Read<number> | null {
  let value = 0;
  for (let index = 0; index < LONGEST_VARINT; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) {
      return null;
    }
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      return Number.isSafeInteger(value) ? { value, next: at + index + 1 } : null;
    }
  }
  return null;
}

/** Returns null if the bytes are not an init packet. */
export function readInitPacket(bytes: Uint8Array): InitPacket | null {
  const packet = readProtobuf(bytes);
  const signedCommand = packet && messageIn(packet, packetField.signedCommand);
  const plainCommand = packet && messageIn(packet, packetField.command);
  // The bootloader refuses a packet with both.
  if ((signedCommand === null) === (plainCommand === null)) {
    return null;
  }
  const command = signedCommand === null ? plainCommand : messageIn(signedCommand, signedField.command);
  const init = command && messageIn(command, commandField.init);
  if (command === null || init === null || numberIn(command, commandField.opCode) !== OP_INIT) {
    return null;
  }
  const signature = signedCommand && bytesIn(signedCommand, signedField.signature);
  return signedCommand !== null && (signature ?? []).length === 0 ? null : readInit(init, signedCommand !== null);
}

function readInit(init: ProtobufFields, signed: boolean): InitPacket | null {
  const type = imageTypes[numberIn(init, initField.type) ?? 0];
  const softdevices = numbersIn(init, initField.softdevices);
  if (type === undefined || softdevices === null) {
    return null;
  }
  const size = (field: number) => numberIn(init, field) ?? 0;
  return {
    type,
    firmwareVersion: numberIn(init, initField.firmwareVersion),
    hardwareVersion: numberIn(init, initField.hardwareVersion),
    softdevices,
    softdeviceSize: size(initField.softdeviceSize),
    bootloaderSize: size(initField.bootloaderSize),
    applicationSize: size(initField.applicationSize),
    hash: hashIn(init),
    isDebug: size(initField.isDebug) !== 0,
    signed,
  };
}

/** Returns the hash, whose bytes the packet holds in reverse order (little endian). */
function hashIn(init: ProtobufFields): string | null {
  const message = messageIn(init, initField.hash);
  const hash = message && bytesIn(message, hashField.hash);
  return message === null || hash === null || numberIn(message, hashField.type) !== HASH_SHA256
    ? null
    : hash.length === SHA256_LENGTH
      ? hexOf(hash.toReversed())
      : null;
}
