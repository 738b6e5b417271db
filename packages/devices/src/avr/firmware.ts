/**
 * Sketches for the simulated boards: a vector table that leads to an endless loop, and the lines that the simulation
 * prints when it "runs" the sketch. A real chip that gets one does nothing.
 */
import { joined, viewOf, words32 } from '../byte-fields.ts';
import { filler } from '../filler.ts';

export interface AvrFirmwareOptions {
  /** Lines that the sketch prints in turn. Default: those of a blinking LED. */
  readonly lines?: readonly string[];
  /** Milliseconds between two lines, 1 to 65535. Default 1000. */
  readonly interval?: number;
  /** Rate of its serial port, in baud. Default 9600. */
  readonly baudRate?: number;
  /** True: it prints without a pause. Default false. */
  readonly floods?: boolean;
  /** Minimum size in bytes, reached by filler. The result is a multiple of 2. Default: as short as possible. */
  readonly size?: number;
  /** Seed of the filler. Default 1. */
  readonly seed?: number;
  /** True: add a mark for which flashers refuse to write it to a real board. Default false. */
  readonly demoOnly?: boolean;
}

export interface AvrSketch {
  readonly lines: readonly string[];
  /** In milliseconds. 0: without a pause. */
  readonly interval: number;
  readonly baudRate: number;
}

const blinkLines = ['Blink: LED on', 'Blink: LED off'] as const;
/** Precedes rate and interval (32 bits each, little-endian) and the lines, which end with `\n`, the last with a 0. */
const marker = new TextEncoder().encode('wirebench-avr-sketch\0');
/** Mark by which flashers recognise demo firmware. */
const demoMark = new TextEncoder().encode('wirebench-boot-text:\0');
/** Interrupt vectors of the ATmega2560, which has the most (its data sheet, section 14.1). Each is a JMP of 4 bytes. */
const vectors = 57;
const loopStart = vectors * 4;
/** `JMP` to a word address below 0x10000, and `RJMP` to itself (AVR Instruction Set Manual). */
const jump = (wordAddress: number) => [0x0c, 0x94, wordAddress & 0xff, wordAddress >> 8];
const endlessLoop = [0xff, 0xcf];
/** Bytes from the start that are searched for a marker. */
const searched = 4_096;

/** Returns a sketch that the simulated boards can run, as flash content from address 0 on. */
export function avrFirmware(options: AvrFirmwareOptions = {}): Uint8Array<ArrayBuffer> {
  const { lines = blinkLines, interval = 1_000, baudRate = 9_600, floods = false } = options;
  const { size = 0, seed = 1, demoOnly = false } = options;
  const spoken = joined(
    Uint8Array.from([...Array.from({ length: vectors }, () => jump(loopStart / 2)).flat(), ...endlessLoop]),
    marker,
    words32(baudRate, floods ? 0 : interval),
    new TextEncoder().encode(`${lines.join('\n')}\0`),
    demoOnly ? demoMark : new Uint8Array(),
  );
  const image = filler(Math.ceil(Math.max(spoken.length, size) / 2) * 2, seed);
  image.set(spoken);
  return image;
}

/** Returns a sketch as an Intel HEX file, as the Arduino IDE exports it. */
export function avrFirmwareHex(options: AvrFirmwareOptions = {}): string {
  return intelHex(avrFirmware(options));
}

/** Returns the sketch in the flash content `image`; null for one without a marker. */
export function sketchIn(image: Uint8Array): AvrSketch | null {
  const head = image.subarray(0, searched);
  const at = loopStart + endlessLoop.length;
  if (!marker.every((byte, index) => head[at + index] === byte)) {
    return null;
  }
  const start = at + marker.length;
  const end = head.indexOf(0, start + 8);
  if (end < 0) {
    return null;
  }
  const lines = new TextDecoder().decode(head.subarray(start + 8, end)).split('\n');
  const view = viewOf(head);
  return { lines, baudRate: view.getUint32(start, true), interval: view.getUint32(start + 4, true) };
}

/**
 * Returns `image` as Intel HEX from address 0 on: records of 16 bytes, and extended segment addresses (type 02) above
 * 64 KiB, as avr-objcopy writes them (Intel "Hexadecimal Object File Format Specification").
 */
function intelHex(image: Uint8Array): string {
  const records: string[] = [];
  for (let at = 0; at < image.length; at += 16) {
    if (at > 0 && at % 0x10000 === 0) {
      const segment = at >> 4;
      records.push(record(0, 2, [segment >> 8, segment & 0xff]));
    }
    records.push(record(at & 0xffff, 0, [...image.subarray(at, at + 16)]));
  }
  return [...records, record(0, 1, []), ''].join('\r\n');
}

function record(address: number, type: number, data: readonly number[]): string {
  const bytes = [data.length, address >> 8, address & 0xff, type, ...data];
  const sum = -bytes.reduce((total, byte) => total + byte, 0) & 0xff;
  return `:${[...bytes, sum].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('')}`;
}
