/**
 * gpsdecode of gpsd reads the same values in random AIS messages, whole and in parts, and drops the ones that were damaged.
 * It runs if gpsdecode is installed.
 */
import { spawnSync } from 'node:child_process';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedFrame } from '../frame-types.ts';
import { readChunks } from '../testing/golden-cases.ts';
import { aisMessages } from './ais-messages.ts';
import { checksumOf } from './testing/random-sentences.ts';

const gpsdecodeIsHere = spawnSync('gpsdecode', ['-V'], { stdio: 'ignore' }).status === 0;

const below = (limit: number) => Math.floor(randomNumber() * limit);
const bits = (value: number, count: number) => value.toString(2).padStart(count, '0').slice(-count);
const randomBits = (count: number) => Array.from({ length: count }, () => below(2)).join('');

/** Returns the characters of the armour, filled with zeros. */
function armoured(message: string): { payload: string; fill: number } {
  const fill = (6 - (message.length % 6)) % 6;
  const six = (message + '0'.repeat(fill)).match(/.{6}/g) ?? [];
  const codes = six.map((digits) => Number.parseInt(digits, 2));
  return { payload: String.fromCharCode(...codes.map((code) => code + (code < 40 ? 48 : 56))), fill };
}

/** Returns six bits of each character; the rest is filled with `@`. */
function textBits(length: number): string {
  const letters = ' ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.()';
  const text = Array.from({ length: below(length / 6 + 1) }, () => letters[below(letters.length)] as string);
  const codes = text.map((letter) => letter.charCodeAt(0) & 63);
  return codes
    .map((code) => bits(code, 6))
    .join('')
    .padEnd(length, '0')
    .slice(0, length);
}

/** Whole positions and times, as gpsdecode leaves out messages with others. */
const limits: Readonly<Record<string, number>> = { month: 12, day: 28, hour: 23, minute: 59, second: 59, year: 2_100 };

function messageBits(key: string, mmsi: number): string {
  let message = '';
  for (const [name, size, reading] of aisMessages[key]?.fields ?? []) {
    // The standard allows 14 characters more for the name of an aid. gpsdecode has no room for others.
    const length = size === 'rest' ? 6 * (1 + below(14)) : size;
    const most = limits[name];
    if (name === 'type' || name === 'partno') {
      message += bits(Number(key.split('.')[name === 'type' ? 0 : 1]), length);
    } else if (name === 'mmsi') {
      message += bits(mmsi, length);
    } else if (reading?.text === true) {
      message += textBits(length);
    } else if (most !== undefined && key !== '1' && key !== '2' && key !== '3') {
      message += bits(1 + below(most), length);
    } else {
      message += randomBits(length);
    }
  }
  return message;
}

/** Returns sentences with the payload in one part, or two. */
function sentencesOf(message: string, sequence: number): string[] {
  const { payload, fill } = armoured(message);
  const cuts =
    payload.length > 60 || (payload.length > 20 && below(4) === 0) ? [0, 1 + below(payload.length - 2)] : [0];
  return cuts.map((from, index) => {
    const isLast = index === cuts.length - 1;
    const part = payload.slice(from, isLast ? payload.length : (cuts[index + 1] as number));
    const number = cuts.length === 1 ? '' : sequence % 10;
    const body = `AIVDM,${cuts.length},${index + 1},${number},A,${part},${isLast ? fill : 0}`;
    return `!${body}*${checksumOf(body).toUpperCase()}`;
  });
}

type Theirs = Readonly<Record<string, unknown>>;

function ask(lines: readonly string[]): Theirs[] {
  const { stdout, status } = spawnSync('gpsdecode', ['-j'], {
    input: `${lines.join('\r\n')}\r\n`,
    maxBuffer: 1 << 28,
    encoding: 'latin1',
    timeout: 60_000,
  });
  expect(status).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Theirs);
}

const fieldOf = ({ fields }: DecodedFrame, name: string) => fields.find((field) => field.name === name);

/** Names of gpsdecode that are not compared: it says them in another form or not at all. */
const notCompared = new Set(['class', 'device', 'scaled', 'repeat', 'name', 'part']);

const turns: Readonly<Record<string, string>> = {
  fastleft: 'turning left at more than 5° in 30 s',
  fastright: 'turning right at more than 5° in 30 s',
};

/** gpsdecode prints one decimal of the positions of type 27, six of others, and whole degrees of a rate of turn. */
function tolerance(type: unknown, name: string): number {
  return name === 'turn' ? 0.55 : type === 27 && (name === 'lat' || name === 'lon') ? 0.0501 : 1e-6;
}

function compare(decoded: DecodedFrame, theirs: Theirs): void {
  for (const [name, expected] of Object.entries(theirs)) {
    const field = fieldOf(decoded, name === 'type' ? 'ais' : name);
    const about = [theirs['type'], theirs['mmsi'], name];
    if (notCompared.has(name)) {
      continue;
    }
    if (name === 'speed' && field?.value === null) {
      // gpsdecode says so of types 1 to 3 alone, and prints the number of the others.
      expect([...about, ['nan', 102.3, 1_023].includes(expected as number)]).toEqual([...about, true]);
    } else if (name.endsWith('_text')) {
      const named = fieldOf(decoded, name.replace('_text', ''))?.named;
      // gpsdecode calls numbers without a meaning invalid, and writes names of aids in its own way.
      if (!String(expected).startsWith('INVALID') && name !== 'aid_type_text') {
        expect([...about, named]).toEqual([...about, expected]);
      }
    } else if (typeof expected === 'boolean') {
      expect([...about, field?.value]).toEqual([...about, expected ? 1 : 0]);
    } else if (expected === 'nan') {
      expect([...about, field?.value]).toEqual([...about, null]);
    } else if (typeof expected === 'number') {
      // gpsdecode 3.22 squares a turn to the left without its sign.
      const value = name === 'turn' ? Math.abs(field?.value as number) : (field?.value as number);
      const isClose = Math.abs(value - expected) <= tolerance(theirs['type'], name);
      expect([...about, isClose || field?.value]).toEqual([...about, isClose || expected]);
    } else if (expected === 'fast') {
      expect([...about, field?.named]).toEqual([...about, expect.stringContaining('or more')]);
    } else if (name === 'turn') {
      expect([...about, field?.named]).toEqual([...about, turns[String(expected)]]);
    } else if (typeof expected === 'string' && field !== undefined) {
      if (name === 'vendorid') {
        // Since M.1371-4 the vendor has three characters; gpsdecode also shows the model and serial number as text.
        expect([...about, expected.startsWith(String(field.value ?? ''))]).toEqual([...about, true]);
        continue;
      }
      const value = field.named !== undefined && theirs['type'] === 27 ? field.named : (field.value ?? '');
      expect([...about, value]).toEqual([...about, expected]);
    }
  }
}

/** Reads lines with the product. */
function read(lines: readonly string[]) {
  const bytes = Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
  return readChunks([libraryDecoders.nmea], [{ at: 0, direction: 'received', bytes }]).pieces;
}

describe.runIf(gpsdecodeIsHere)('random AIS messages in gpsdecode', { timeout: 120_000 }, () => {
  it('have the same values, and the damaged ones none', () => {
    // Type 24 has a test of its own: gpsdecode joins its parts.
    const keys = Object.keys(aisMessages).filter((key) => !key.startsWith('24'));
    const number = isLong ? 10_000 : 1_000;
    const messages = Array.from({ length: number }, (_, index) => {
      const message = messageBits(keys[index % keys.length] as string, 200_000_000 + index);
      const sentences = sentencesOf(message, index);
      const isDamaged = below(10) === 0;
      const [last] = sentences.slice(-1) as [string];
      const damaged = last.replace(/,(.)([^,]*,\d\*)/, (_all, first, rest) => `,${first === '0' ? '1' : '0'}${rest}`);
      return {
        isDamaged: isDamaged && damaged !== last,
        lines: isDamaged ? [...sentences.slice(0, -1), damaged] : sentences,
      };
    });
    const lines = messages.flatMap((message) => message.lines);
    const pieces = read(lines);
    const theirs = ask(lines);
    expect(pieces).toHaveLength(lines.length);
    expect(pieces.filter(({ kind }) => kind === 'broken')).toHaveLength(
      messages.filter(({ isDamaged }) => isDamaged).length,
    );
    const ours = pieces.filter(({ decoded }) => fieldOf(decoded, 'ais') !== undefined).map(({ decoded }) => decoded);
    expect(ours).toHaveLength(number - messages.filter(({ isDamaged }) => isDamaged).length);
    const byMmsi = new Map(ours.map((decoded) => [fieldOf(decoded, 'mmsi')?.value as unknown, decoded]));
    expect(theirs.length).toBeGreaterThan(ours.length * 0.9);
    for (const their of theirs) {
      const decoded = byMmsi.get(their['mmsi']);
      if (decoded === undefined) {
        throw new Error(`gpsdecode read what we did not: ${JSON.stringify(their)}`);
      }
      compare(decoded, their);
    }
  });

  it('have the same values in both parts of type 24', () => {
    // Every fourth is an auxiliary craft, which names its mother ship.
    const lines = Array.from({ length: isLong ? 2_000 : 200 }, (_, index) => {
      const mmsi = (index % 4 === 0 ? 980_000_000 : 200_000_000) + index;
      return ['24.0', '24.1'].flatMap((key) => sentencesOf(messageBits(key, mmsi), 0));
    }).flat();
    const ours = read(lines).filter(({ decoded }) => fieldOf(decoded, 'ais') !== undefined);
    const theirs = ask(lines);
    expect(theirs).toHaveLength(ours.length / 2);
    for (const [index, their] of theirs.entries()) {
      const [name, rest] = ours.slice(2 * index, 2 * index + 2).map(({ decoded }) => decoded);
      const both = { ...name, fields: [...(name?.fields ?? []), ...(rest?.fields ?? [])] } as DecodedFrame;
      compare(both, their);
    }
  });
});
