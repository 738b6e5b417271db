/**
 * Request data of the probe's own operations, and the parsing of their answers and events
 * (`firmware/probe/PROTOCOL.md`). Pure functions without range checks: the program knows its limits and refuses
 * invalid values.
 */
import { type ProbeFrame, viewOf } from './frames.ts';

export interface ProbeCapabilities {
  readonly version: number;
  /** Chip number as in the header of an image: 0 ESP32, 5 ESP32-C3. */
  readonly chip: number;
  /** Maximum data of a request and of an answer, in bytes. */
  readonly longestRequest: number;
  readonly longestAnswer: number;
  /** Hertz. */
  readonly crystal: number;
  /** Hertz. */
  readonly processorClock: number;
  /** Ops of the supported operations. */
  readonly operations: ReadonlySet<number>;
  /** Bytes that may be in flight behind a request in progress, escapes included. */
  readonly linkRing: number;
  /** Bytes that the bridge buffers towards the client (in) and towards the line (out). */
  readonly bridgeIn: number;
  readonly bridgeOut: number;
  readonly longestCapture: number;
  readonly longestI2c: number;
  readonly longestSpi: number;
  readonly adcChannels: number;
}

const capabilitiesSize = 40;
const firstOp = 0xe0;

/** Parses capabilities. Null for a frame of another length, which means another version. */
export function readCapabilities({ data }: ProbeFrame): ProbeCapabilities | null {
  if (data.length !== capabilitiesSize) {
    return null;
  }
  const view = viewOf(data);
  const bits = view.getUint32(16, true);
  const ops = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (bits >>> bit) & 1);
  return {
    version: view.getUint8(0),
    chip: view.getUint8(1),
    longestRequest: view.getUint16(2, true),
    crystal: view.getUint32(4, true),
    processorClock: view.getUint32(8, true) * 1_000_000,
    operations: new Set(ops.map((bit) => firstOp + bit)),
    linkRing: view.getUint16(20, true),
    longestAnswer: view.getUint16(22, true),
    bridgeIn: view.getUint16(24, true),
    bridgeOut: view.getUint16(26, true),
    longestCapture: view.getUint32(28, true),
    longestI2c: view.getUint16(32, true),
    longestSpi: view.getUint16(34, true),
    adcChannels: view.getUint32(36, true),
  };
}

/** Concatenates little-endian words and bytes. */
export function wordsAndBytes(words: readonly number[], bytes: ArrayLike<number> = []): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(words.length * 4 + bytes.length);
  const view = viewOf(data);
  for (const [index, word] of words.entries()) {
    view.setUint32(index * 4, word >>> 0, true);
  }
  data.set(bytes, words.length * 4);
  return data;
}

export interface ProbeI2cTransfer {
  readonly address: number;
  readonly write: Uint8Array;
  /** Bytes to read. */
  readonly read: number;
  /** Timeout in microseconds without progress, such as during clock stretching. */
  readonly stretchLimit: number;
}

export function i2cTransferData({ address, write, read, stretchLimit }: ProbeI2cTransfer): Uint8Array {
  return wordsAndBytes([stretchLimit], [read, 0, 0, address, ...write]);
}

/**
 * Encodes a scan.
 *
 * @param last Last address, included.
 * @param stretchLimit Microseconds.
 */
export function i2cScanData(first: number, last: number, stretchLimit: number): Uint8Array {
  return wordsAndBytes([stretchLimit], [first, last, 0, 0]);
}

/** Returns the addresses that acknowledged, in ascending order. */
export function readI2cScan(data: Uint8Array): number[] {
  return Array.from({ length: data.length * 8 }, (_, address) => address).filter(
    (address) => ((data[address >> 3] ?? 0) >> (address & 7)) & 1,
  );
}

/**
 * Encodes an SPI transfer.
 *
 * @param bytes 1 to 64 bytes.
 * @param limit Microseconds.
 */
export function spiTransferData(bytes: Uint8Array, limit: number): Uint8Array {
  return wordsAndBytes([limit], bytes);
}

export interface BridgeReport {
  /** Bytes sent to the line since the bridge was opened, modulo 2³². */
  readonly gone: number;
  readonly bytes: Uint8Array;
  readonly errors: readonly BridgeError[];
}

/** `ring-full` and `overrun`: bytes were lost. */
type BridgeError = 'ring-full' | 'parity' | 'framing' | 'overrun' | 'break';

const bridgeErrors: readonly (readonly [number, BridgeError])[] = [
  [1 << 0, 'ring-full'],
  [1 << 2, 'parity'],
  [1 << 3, 'framing'],
  [1 << 4, 'overrun'],
  [1 << 7, 'break'],
];

export function readBridgeData({ value, data }: ProbeFrame): BridgeReport {
  const bits = data[0] ?? 0;
  return {
    gone: value,
    bytes: data.subarray(1),
    errors: bridgeErrors.filter(([bit]) => bits & bit).map(([, error]) => error),
  };
}

export interface AdcStream {
  /** Microseconds between measurements; channels take turns. */
  readonly period: number;
  /** Measurements in one frame, 1 to 400. */
  readonly batch: number;
  /** At most 8 channels; an empty list ends the stream. */
  readonly channels: readonly number[];
}

export function adcStreamData({ period, batch, channels }: AdcStream): Uint8Array {
  const data = wordsAndBytes([period, (batch & 0xffff) | (channels.length << 16), 0, 0]);
  data.set(channels.slice(0, 8), 8);
  return data;
}

export interface AdcReport {
  /** Cycle counter at the first measurement of the frame. */
  readonly cycles: number;
  readonly samples: readonly {
    readonly channel: number;
    /** 12 bits; null if the conversion never finished. */
    readonly raw: number | null;
  }[];
}

const noMeasurement = 0xf000;

export function readAdcSamples({ value, data }: ProbeFrame): AdcReport {
  const view = viewOf(data);
  const words = Array.from({ length: data.length >> 1 }, (_, index) => view.getUint16(index * 2, true));
  const samples = words.map((word) => ({ channel: word >> 12, raw: word === noMeasurement ? null : word & 0xfff }));
  return { cycles: value, samples };
}

export interface WatchedPins {
  /** GPIO numbers; an empty list ends the watch. */
  readonly pins: readonly number[];
  /** Minimum time between two reports, in microseconds. */
  readonly interval: number;
}

export function watchData({ pins, interval }: WatchedPins): Uint8Array {
  const mask = (bank: number) =>
    pins.filter((pin) => pin >> 5 === bank).reduce((bits, pin) => bits | (1 << (pin & 31)), 0);
  return wordsAndBytes([mask(0), mask(1), interval]);
}

export interface LevelsReport {
  readonly cycles: number;
  /** Levels of pins 0 to 31 and of pins 32 and above (0 if the chip has none). */
  readonly levels: readonly [low: number, high: number];
}

export function readLevels({ value, data }: ProbeFrame): LevelsReport {
  const view = viewOf(data);
  return { cycles: value, levels: [view.getUint32(0, true), data.length >= 8 ? view.getUint32(4, true) : 0] };
}
