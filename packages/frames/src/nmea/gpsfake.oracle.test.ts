/**
 * gpsd, fed by gpsfake through a pseudo-terminal, reports the same times, positions, speeds and courses for random RMC
 * sentences, and none for the damaged ones. It runs if gpsfake and gpsd are installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { readChunks, type SeenPiece } from '../testing/golden-cases.ts';
import { checksumOf } from './testing/random-sentences.ts';

const gpsfakeIsHere =
  ['/usr/bin/gpsfake', '/usr/sbin/gpsd'].every((path) => existsSync(path)) && process.getuid?.() === 0;

const below = (limit: number) => Math.floor(randomNumber() * limit);
const digits = (value: number, count: number) => String(value).padStart(count, '0');
const minutes = () => `${digits(below(60), 2)}.${digits(below(10_000), 4)}`;
const side = (letters: string) => letters[below(2)] as string;

/** Returns an RMC sentence of one second; each has another. */
function rmc(second: number): string {
  const time = `${digits(Math.floor(second / 3_600), 2)}${digits(Math.floor(second / 60) % 60, 2)}${digits(second % 60, 2)}`;
  const place = `${digits(below(90), 2)}${minutes()},${side('NS')},${digits(below(180), 3)}${minutes()},${side('EW')}`;
  const body = `GPRMC,${time}.00,A,${place},${below(500) / 10},${below(3_600) / 10},290326,,,A`;
  return `$${body}*${checksumOf(body).toUpperCase()}\r\n`;
}

interface Position {
  readonly class: string;
  readonly time?: string;
  readonly lat?: number;
  readonly lon?: number;
  readonly speed?: number;
  readonly track?: number;
}

function ask(sentences: readonly string[]): Map<string, Position> {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-gpsfake-'));
  try {
    const file = join(folder, 'log.nmea');
    writeFileSync(file, sentences.join(''), 'latin1');
    const { stdout } = spawnSync('gpsfake', ['-1', '-c', '0.001', '-p', file], {
      encoding: 'latin1',
      maxBuffer: 1 << 28,
      timeout: 100_000,
    });
    const reports = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Position);
    return new Map(reports.filter((report) => report.class === 'TPV').map((report) => [report.time ?? '', report]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.runIf(gpsfakeIsHere)('random positions in gpsd', { timeout: 120_000 }, () => {
  it('have the same time, place, speed and course, and the damaged ones none', () => {
    const sentences = Array.from({ length: isLong ? 10_000 : 200 }, (_, second) => rmc(second)).map((right) => {
      const isDamaged = below(10) === 0;
      const at = 20 + below(20);
      const changed = right[at] === '1' ? '2' : '1';
      return isDamaged ? `${right.slice(0, at)}${changed}${right.slice(at + 1)}` : right;
    });
    const theirs = ask(sentences);
    const bytes = Buffer.from(sentences.join(''), 'latin1');
    const { pieces } = readChunks([libraryDecoders.nmea], [{ at: 0, direction: 'received', bytes }]);
    const ours = pieces.filter(({ kind }) => kind === 'frame');
    expect(theirs.size).toBe(ours.length);
    const value = ({ decoded }: SeenPiece, name: string) => decoded.fields.find((field) => field.name === name)?.value;
    for (const piece of ours) {
      const time = `${value(piece, 'date')}T${String(value(piece, 'time'))}0Z`;
      const their = theirs.get(time);
      expect([time, value(piece, 'lat')]).toEqual([time, expect.closeTo(their?.lat ?? Number.NaN, 8)]);
      expect(value(piece, 'lon')).toBeCloseTo(their?.lon ?? Number.NaN, 8);
      // gpsd rounds metres a second to three decimals.
      expect((value(piece, 'speed') as number) * (1_852 / 3_600)).toBeCloseTo(their?.speed ?? Number.NaN, 2);
      expect(value(piece, 'course')).toBeCloseTo(their?.track ?? Number.NaN, 4);
    }
  });
});
