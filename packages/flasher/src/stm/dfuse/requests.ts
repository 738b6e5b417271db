/**
 * Requests and descriptors of the USB bootloader, little endian (AN3156; USB Device Class Specification for Device
 * Firmware Upgrade 1.1a, "DFU").
 */

/** Request codes (DFU table 3.2). */
export const requests = { download: 1, upload: 2, getStatus: 3, clearStatus: 4, getState: 5, abort: 6 } as const;

/** Values of `bState` (DFU section 6.1.2). */
export const states = {
  idle: 2,
  downloadSync: 3,
  downloadBusy: 4,
  downloadIdle: 5,
  manifestSync: 6,
  manifest: 7,
  uploadIdle: 9,
  error: 10,
} as const;

/** Values of `bStatus` (DFU section 6.1.2) that AN3156 assigns a special meaning. */
export const statuses = { ok: 0x00, wrongAddress: 0x08, target: 0x01, vendor: 0x0b, stalled: 0x0f } as const;

/** Command codes, the first byte of block 0 (AN3156 section 5, "DFU_DNLOAD request commands"). */
export const commands = { setAddress: 0x21, erase: 0x41, readUnprotect: 0x92 } as const;

/** First block of data. Block 0 is for commands, and block 1 is unused (AN3156 section 5.1). */
export const firstDataBlock = 2;

export interface DfuStatus {
  readonly status: number;
  readonly state: number;
  /** Milliseconds to wait before the next status request. */
  readonly pollTimeout: number;
}

/** Parses the six bytes of a status (DFU section 6.1.2). Returns null if there are fewer. */
export function parseStatus(data: DataView | undefined): DfuStatus | null {
  if (data === undefined || data.byteLength < 6) {
    return null;
  }
  const pollTimeout = data.getUint8(1) | (data.getUint8(2) << 8) | (data.getUint8(3) << 16);
  return { status: data.getUint8(0), pollTimeout, state: data.getUint8(4) };
}

/** Builds a command, with an address or without one (erase everything, remove read protection). */
export function commandBytes(command: number, address?: number): Uint8Array<ArrayBuffer> {
  if (address === undefined) {
    return Uint8Array.of(command);
  }
  const bytes = new Uint8Array(5);
  bytes[0] = command;
  new DataView(bytes.buffer).setUint32(1, address, true);
  return bytes;
}

/**
 * Type and length of the functional descriptor (DFU table 4.2). Its transfer size is 2,048 bytes in AN3156 section 1.
 */
const functionalDescriptor = { type: 0x21, length: 9 } as const;
const interfaceDescriptor = { type: 0x04, length: 9 } as const;

export interface ConfigurationFacts {
  /** Most bytes of one block; null without a functional descriptor. */
  readonly transferSize: number | null;
  /** Interface and alternate setting, such as `0.1` → index of the string that names it. */
  readonly names: ReadonlyMap<string, number>;
}

/**
 * Parses the configuration descriptor, a sequence of descriptors with length, type and contents (USB 2.0 section
 * 9.6).
 */
export function parseConfiguration(data: DataView): ConfigurationFacts {
  let transferSize: number | null = null;
  const names = new Map<string, number>();
  for (let at = 0; at + 2 <= data.byteLength; ) {
    const [length, type] = [data.getUint8(at), data.getUint8(at + 1)];
    if (length < 2 || at + length > data.byteLength) {
      break;
    }
    if (type === functionalDescriptor.type && length >= functionalDescriptor.length) {
      transferSize = data.getUint16(at + 5, true);
    } else if (type === interfaceDescriptor.type && length >= interfaceDescriptor.length) {
      names.set(`${data.getUint8(at + 2)}.${data.getUint8(at + 3)}`, data.getUint8(at + 8));
    }
    at += length;
  }
  return { transferSize, names };
}

/** Parses a string descriptor: UTF-16 after two bytes (USB 2.0 section 9.6.7). */
export function parseString(data: DataView): string {
  let text = '';
  const end = Math.min(data.byteLength, data.byteLength > 0 ? data.getUint8(0) : 0);
  for (let at = 2; at + 1 < end; at += 2) {
    text += String.fromCharCode(data.getUint16(at, true));
  }
  return text;
}

/** Filter for the browser's device picker: ST's bootloader (AN3156 section 1; USB vendor 0483, product DF11). */
export const stmUsbFilter = { vendorId: 0x0483, productId: 0xdf11 } as const;
