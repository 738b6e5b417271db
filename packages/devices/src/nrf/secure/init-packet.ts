/**
 * The init packet: a Protocol Buffers message as specified by `dfu-cc.proto` of the nRF5 SDK, decoded as its
 * bootloader does.
 */
import { type ProtobufField, readFields, readPacked } from './protobuf.ts';

export interface InitCommand {
  readonly fwVersion: number | null;
  readonly hwVersion: number | null;
  /** FWIDs of compatible SoftDevices. */
  readonly sdReq: readonly number[];
  readonly type: number | null;
  /** Sizes in bytes. */
  readonly sdSize: number | null;
  readonly blSize: number | null;
  readonly appSize: number | null;
  readonly hashType: number | null;
  /** SHA-256 of the firmware, little-endian. */
  readonly hash: Uint8Array;
  readonly isDebug: boolean;
}

export interface InitPacket {
  readonly command: InitCommand;
  /** The signed bytes. */
  readonly signed: Uint8Array;
  readonly signature: { readonly type: number; readonly bytes: Uint8Array } | null;
}

/** Most entries of `sd_req`, and most bytes of a signature (`dfu-cc.options`). */
const maxSdReq = 16;
const maxSignature = 64;

/**
 * Decodes an init packet. Returns null if the bootloader's decoder fails: malformed message, or a missing required
 * field.
 */
export function readInitPacket(bytes: Uint8Array): InitPacket | null {
  const packet = readFields(bytes);
  const signed = packet && bytesAt(packet, 2);
  if (packet === null) {
    return null;
  }
  if (signed === null) {
    const command = bytesAt(packet, 1);
    return command === null ? null : readCommand(command, null);
  }
  const fields = readFields(signed);
  const command = fields && bytesAt(fields, 1);
  const type = fields && numberAt(fields, 2);
  const signature = fields && bytesAt(fields, 3);
  if (command === null || type === null || signature === null || signature.length > maxSignature) {
    return null;
  }
  return readCommand(command, { type, bytes: signature });
}

function readCommand(command: Uint8Array, signature: InitPacket['signature']): InitPacket | null {
  const fields = readFields(command);
  const init = fields && (bytesAt(fields, 2) ?? new Uint8Array());
  const values = init && readFields(init);
  if (values === null || init === null) {
    return null;
  }
  const hash = bytesAt(values, 8);
  const hashFields = hash === null ? [] : readFields(hash);
  const sdReq = sdReqOf(values);
  if (hashFields === null || sdReq === null) {
    return null;
  }
  const hashType = numberAt(hashFields, 1);
  const digest = bytesAt(hashFields, 2);
  if (hash !== null && (hashType === null || digest === null)) {
    return null;
  }
  return {
    command: {
      fwVersion: numberAt(values, 1),
      hwVersion: numberAt(values, 2),
      sdReq,
      type: numberAt(values, 4),
      sdSize: numberAt(values, 5),
      blSize: numberAt(values, 6),
      appSize: numberAt(values, 7),
      hashType,
      hash: digest ?? new Uint8Array(),
      isDebug: (numberAt(values, 9) ?? 0) !== 0,
    },
    signed: init,
    signature,
  };
}

function sdReqOf(fields: readonly ProtobufField[]): number[] | null {
  const found: number[] = [];
  for (const { number, value } of fields) {
    if (number === 3) {
      const numbers = typeof value === 'number' ? [value] : readPacked(value);
      if (numbers === null) {
        return null;
      }
      found.push(...numbers);
    }
  }
  return found.length > maxSdReq ? null : found;
}

/** Returns the last occurrence of the field, as Protocol Buffers require. */
function numberAt(fields: readonly ProtobufField[], number: number): number | null {
  const value = fields.findLast((field) => field.number === number)?.value;
  return typeof value === 'number' ? value : null;
}

function bytesAt(fields: readonly ProtobufField[], number: number): Uint8Array | null {
  const value = fields.findLast((field) => field.number === number)?.value;
  return value instanceof Uint8Array ? value : null;
}
