/** The recorded sessions of an RP2040's boot ROM, and the bytes that their descriptions stand for. */
import { readdirSync, readFileSync } from 'node:fs';
import { pattern } from './pattern.ts';

export interface RecordedStep {
  readonly op: 'control' | 'out' | 'in' | 'bus-reset' | 'note' | 'left-out';
  readonly name?: string;
  readonly ep?: number;
  readonly setup?: string;
  readonly reply?: string;
  /** Hexadecimal digits up to 64 bytes; for blocks of UF2 a description. */
  readonly data?: string;
  readonly length?: number;
  readonly sha256?: string;
  readonly of?: string;
  readonly header?: string;
  /** Bytes asked for. */
  readonly want?: number;
  readonly accepted?: number;
  readonly result?: 'ok' | 'stall' | 'nak' | 'no-answer';
  /** End of the step in the emulator's cycles, 48,000 a millisecond. */
  readonly cycle?: number;
  readonly rebooted?: boolean;
  readonly then?: string;
  readonly scratch?: readonly string[];
  readonly steps?: number;
}

export interface RecordedSession {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly flashBefore: string;
  /** Nanoseconds. */
  readonly times?: { readonly erase: number; readonly program: number };
  readonly steps: readonly RecordedStep[];
  readonly flash: {
    readonly sha256: string;
    readonly changed: readonly { readonly from: number; readonly to: number; readonly sha256: string }[];
    readonly log: readonly Readonly<Record<string, string | number>>[];
  };
  readonly reboots: number;
  readonly toggleErrors: number;
}

const folder = new URL('rp2040-sessions/', import.meta.url);

/** Reads all sessions, file by file. */
export function recordedSessions(): RecordedSession[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json.txt'))
    .sort()
    .flatMap((name) => {
      const file: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      return (file as { readonly sessions: readonly RecordedSession[] }).sessions;
    });
}

/** Milliseconds of a number of the emulator's cycles. */
export function millisecondsOf(cycles: number): number {
  return cycles / 48_000;
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Returns the bytes of an OUT step. Others than blocks are zeros without a description. */
export function dataOf(step: RecordedStep): Uint8Array<ArrayBuffer> {
  const { data = '', length = 0, of = '', header } = step;
  if (header !== undefined) {
    return blockOf(header, payloadOf(data));
  }
  if (/^[0-9a-f]*$/.test(data) && data.length > 0) {
    return bytesOf(data);
  }
  const blocks = /^(\d+) UF2 blocks$/.exec(of)?.[1];
  if (blocks !== undefined) {
    return blocksInOrder(Number(blocks), 0x42);
  }
  const seed = /^pattern\((\w+)\)$/.exec(of)?.[1];
  return seed === undefined ? new Uint8Array(length) : pattern(Number(seed), length);
}

/** Payload of a block: `pattern(seed)[from…]`, cut again at each further offset. Without a description it is pattern 3. */
function payloadOf(data: string): Uint8Array {
  const found = /^pattern\((\w+)\)((?:\[\d+…\])*)$/.exec(data);
  if (found === null) {
    return pattern(3, 256);
  }
  const offsets = [...(found[2] ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const start = offsets.reduce((sum, offset) => sum + offset, 0);
  return pattern(Number(found[1]), start + 476).slice(start);
}

export function blockOf(header: string, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(512);
  block.set(bytesOf(header));
  const size = new DataView(block.buffer).getUint32(16, true);
  block.set(payload.subarray(0, Math.min(size, 476)), 32);
  new DataView(block.buffer).setUint32(508, 0x0ab1_6f30, true);
  return block;
}

function blocksInOrder(count: number, seed: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(count * 512);
  const payload = pattern(seed, count * 256);
  for (let number = 0; number < count; number++) {
    data.set(blockOf(headerOf({ number, total: count }), payload.slice(number * 256)), number * 512);
  }
  return data;
}

interface HeaderFields {
  readonly number: number;
  readonly total: number;
  readonly address?: number;
  readonly flags?: number;
  readonly family?: number;
}

/** Returns the 32 bytes in front of a block's payload, as hexadecimal digits. */
export function headerOf(fields: HeaderFields): string {
  const { number, total, address = 0x1000_0000 + number * 256, flags = 0x2000, family = 0xe48b_ff56 } = fields;
  const words = [0x0a32_4655, 0x9e5d_5157, flags, address, 256, number, total, family];
  const view = new DataView(new ArrayBuffer(32));
  for (const [index, word] of words.entries()) {
    view.setUint32(index * 4, word, true);
  }
  return [...new Uint8Array(view.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
