/**
 * ubxtool of gpsd reads the same numbers in random messages, in the same order, and calls the same ones damaged. It runs if
 * ubxtool is installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { type DecoderFieldOrGroup, numberSizes } from '@wirebench/contract/decoders';
import { isLong, randomBytes, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedFrame } from '../frame-types.ts';
import { checkedDecoder, readChunks, type SeenPiece } from '../testing/golden-cases.ts';

const ubxtoolIsHere = spawnSync('ubxtool', ['-V'], { stdio: 'ignore' }).status === 0;

const below = (limit: number) => Math.floor(randomNumber() * limit);
const { messages } = checkedDecoder(libraryDecoders.ubx);

/**
 * Messages whose numbers ubxtool prints one after the other, as they are in the frame. It prints others as words, in
 * another order or not at all, and fails at the shorter NAV-RELPOSNED.
 */
const compared = [
  ...['POSECEF', 'POSLLH', 'STATUS', 'DOP', 'ATT', 'PVT', 'ODO', 'VELECEF', 'VELNED', 'TIMEGPS', 'TIMEUTC'],
  ...['CLOCK', 'TIMEGLO', 'TIMEBDS', 'TIMEGAL', 'TIMELS', 'ORB', 'SAT', 'SVIN', 'RELPOSNED', 'SIG'],
  ...['AOPSTATUS', 'EOE'],
]
  .map((name) => `NAV-${name}`)
  .concat(
    'RXM-RTCM',
    'CFG-RATE',
    'CFG-RST',
    'CFG-TMODE3',
    'MON-HW',
    'MON-RF',
    'TIM-TP',
    'TIM-TM2',
    'TIM-SVIN',
    'TIM-VRFY',
  );

interface Payload {
  readonly bytes: number[];
  readonly counts: Map<string, number>;
}

/** Adds random bytes for a field. Fields that count others are small. */
function addField(payload: Payload, field: DecoderFieldOrGroup, counted: ReadonlySet<string>): void {
  const { name, type = 'u8', length, count, at, fields } = field;
  if (at === 'previous') {
    return;
  }
  if (fields !== undefined) {
    const times = payload.counts.get(String(count)) ?? 0;
    for (let time = 0; time < times; time++) {
      for (const inner of fields) {
        addField(payload, inner, counted);
      }
    }
    return;
  }
  const size = type === 'bytes' || type === 'text' ? Number(length) : numberSizes[type as 'u8'];
  const bytes = [...randomBytes(size * (typeof count === 'number' ? count : 1))];
  if (counted.has(name)) {
    bytes[0] = below(6);
    payload.counts.set(name, bytes[0]);
  }
  payload.bytes.push(...bytes);
}

function frameOf(name: string): Uint8Array {
  const message = messages.find((one) => one.name === name);
  if (message === undefined) {
    throw new Error(`no message ${name}`);
  }
  const payload: Payload = { bytes: [], counts: new Map() };
  const counted = new Set(message.fields.flatMap(({ count }) => (typeof count === 'string' ? [count] : [])));
  for (const field of message.fields) {
    addField(payload, field, counted);
  }
  if (name === 'NAV-RELPOSNED') {
    payload.bytes[0] = 1;
  }
  const [group, id] = message.when.map(({ is }) => Number(is));
  const { length } = payload.bytes;
  const body = [group as number, id as number, length & 255, length >> 8, ...payload.bytes];
  let [first, second] = [0, 0];
  for (const byte of body) {
    first = (first + byte) & 255;
    second = (second + first) & 255;
  }
  return Uint8Array.from([0xb5, 0x62, ...body, first, second]);
}

/** Numbers in the text of ubxtool, without those of reserved bytes and without its explanations. */
function numbersIn(text: string): bigint[] {
  const lines = text.split('\n').filter((line) => !line.includes('(') || line.includes('timeRef'));
  const tokens = lines.join(' ').split(/[\s:/,[\]]+|(?<=reserved\d?)\s/);
  let isReserved = false;
  const numbers: bigint[] = [];
  for (const token of tokens) {
    const digits = /^(-?)(?:(\d+)|(?:0?x)([\da-f]+))$/.exec(token);
    if (digits === null) {
      isReserved = token === '' ? isReserved : token.startsWith('reserved');
    } else if (!isReserved) {
      const value = BigInt(digits[2] ?? `0x${digits[3]}`);
      numbers.push(digits[1] === '-' ? -value : value);
    }
  }
  return numbers;
}

/** Numbers of a frame, in the size in which ubxtool may print them with another sign. */
function numbersOf(decoded: DecodedFrame): { raw: bigint; size: number; name: string }[] {
  return decoded.fields.slice(3).flatMap(({ name, value, raw, from, to, place }) => {
    if (place !== undefined || /(?:^|\.)reserved\d?$/.test(name)) {
      return [];
    }
    if (value instanceof Uint8Array) {
      return Array.from(value, (byte) => ({ raw: BigInt(byte), size: 1, name }));
    }
    return [{ raw: BigInt(raw ?? (value as number)), size: to - from, name }];
  });
}

interface Answer {
  readonly name: string;
  readonly isDamaged: boolean;
  readonly text: string;
}

function ask(frames: readonly Uint8Array[]): Answer[] {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-ubxtool-'));
  try {
    const file = join(folder, 'frames.ubx');
    writeFileSync(file, Buffer.concat(frames));
    const { stdout, stderr, status } = spawnSync('ubxtool', ['-f', file, '-v', '2', '-r'], {
      encoding: 'latin1',
      maxBuffer: 1 << 28,
      timeout: 60_000,
    });
    expect([status, stderr]).toEqual([0, '']);
    const answers: Answer[] = [];
    let isDamaged = false;
    for (const text of stdout.split(/^(?=gps\/ubx: ERROR|UBX-)/m)) {
      const name = /^UBX-([\w-]+):/.exec(text)?.[1];
      if (name === undefined) {
        isDamaged = text.startsWith('gps/ubx: ERROR checksum');
      } else {
        answers.push({ name, isDamaged, text });
        isDamaged = false;
      }
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.runIf(ubxtoolIsHere)('random messages in ubxtool', { timeout: 120_000 }, () => {
  it('have the same numbers, and the damaged ones none', () => {
    const all = Array.from({ length: isLong ? 10_000 : 1_000 }, (_, index) => {
      const frame = frameOf(compared[index % compared.length] as string);
      const isDamaged = below(10) === 0;
      if (isDamaged) {
        // ubxtool decodes damaged messages too: what it counts elements by must stay.
        const at = frame.length - 1 - below(3);
        frame[at] = (frame[at] as number) ^ (1 + below(255));
      }
      return { frame, isDamaged };
    });
    const theirs = ask(all.map(({ frame }) => frame));
    const bytes = Buffer.concat(all.map(({ frame }) => frame));
    const { pieces } = readChunks([libraryDecoders.ubx], [{ at: 0, direction: 'received', bytes }]);
    expect(pieces.map(({ kind }) => kind)).toEqual(all.map(({ isDamaged }) => (isDamaged ? 'broken' : 'frame')));
    expect(theirs.map(({ isDamaged }) => isDamaged)).toEqual(all.map(({ isDamaged }) => isDamaged));
    for (const [index, { name, text, isDamaged }] of theirs.entries()) {
      const { decoded } = pieces[index] as SeenPiece;
      if (isDamaged) {
        expect(decoded.fields).toEqual([]);
        continue;
      }
      expect(decoded.message).toBe(name);
      const numbers = numbersOf(decoded);
      // ubxtool reads the last twelve bytes of NAV-PVT at a wrong offset.
      const compare = name === 'NAV-PVT' ? numbers.slice(0, -4) : numbers;
      const their = numbersIn(text).slice(0, name === 'NAV-PVT' ? compare.length : undefined);
      const read = compare.map((number, place) => {
        const value = their[place];
        const isSame = value !== undefined && BigInt.asUintN(number.size * 8, value - number.raw) === 0n;
        return `${number.name} ${isSame ? value : number.raw}`;
      });
      expect([text, read, their.length]).toEqual([
        text,
        compare.map((one, place) => `${one.name} ${their[place]}`),
        compare.length,
      ]);
    }
  });
});
