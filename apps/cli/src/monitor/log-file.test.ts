import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LogFile, readRotation } from './log-file.ts';

let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-log-'));
  path = join(folder, 'run.txt');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const utf8 = (text: string) => new TextEncoder().encode(text);
const textOf = (name: string) => (existsSync(name) ? readFileSync(name, 'utf8') : '');

/** Writes pieces to a log that is rotated. Returns the reasons of its failures. */
async function logged(pieces: readonly string[], size = 100, count = 3): Promise<readonly string[]> {
  const reasons: string[] = [];
  let left = pieces.map(utf8);
  const feed = {
    *read() {
      const now = left;
      left = [];
      yield* now;
    },
  };
  const log = await LogFile.open(path, feed, { size, count }, (reason) => reasons.push(reason));
  log.write();
  await log.close();
  return reasons;
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

describe('rotated log', () => {
  it('has each line once and in order, in files up to the size', async () => {
    expect(await logged([lines(100, 125), lines(125, 130)])).toEqual([]);
    const files = [`${path}.3`, `${path}.2`, `${path}.1`, path].map(textOf);
    expect(files.join('')).toBe(lines(100, 130));
    expect(files.every((text) => text.length <= 100)).toBe(true);
  });

  it('drops the oldest files, and goes on in a file that was there', async () => {
    writeFileSync(path, lines(100, 109));
    writeFileSync(`${path}.3`, 'oldest');
    expect(await logged([lines(109, 112)])).toEqual([]);
    expect([`${path}.1`, path].map(textOf)).toEqual([lines(100, 111), lines(111, 112)]);
    expect(textOf(`${path}.3`)).toBe('oldest');
    await logged([lines(112, 160)]);
    expect([`${path}.3`, `${path}.2`, `${path}.1`, path].map(textOf).join('')).toBe(lines(122, 160));
    expect(existsSync(`${path}.4`)).toBe(false);
  });

  it('gives a line that is longer than a file a file of its own', async () => {
    await logged([`a\n${'x'.repeat(300)}\nb\n`]);
    expect([`${path}.2`, `${path}.1`, path].map(textOf)).toEqual(['a\n', `${'x'.repeat(300)}\n`, 'b\n']);
  });

  it('ends with the reason when a file cannot be renamed', async () => {
    mkdirSync(join(`${path}.1`, 'in use'), { recursive: true });
    const reasons = await logged([lines(100, 120), lines(120, 140)], 100, 1);
    expect(reasons).toEqual([expect.stringMatching(/EISDIR|ENOTEMPTY/)]);
    expect(textOf(path)).toBe(lines(100, 111));
  });
});

describe('limits of a log', () => {
  it('are read with their units', () => {
    expect(readRotation({})).toBeNull();
    expect(readRotation({ log: 'a', logSize: '10M' })).toEqual({ size: 10_485_760, count: 5 });
    expect(readRotation({ log: 'a', logSize: '500k', logCount: '2' })).toEqual({ size: 512_000, count: 2 });
  });

  it.each([
    [{ log: 'a', logSize: '10 MB' }, /--log-size takes bytes/],
    [{ log: 'a', logSize: '1k' }, /--log-size takes bytes/],
    [{ log: 'a', logSize: '1M', logCount: '0' }, /--log-count takes a whole number/],
    [{ logSize: '1M' }, /need --log/],
    [{ log: 'a', logCount: '3' }, /need --log/],
  ])('refuse %j', (options, message) => {
    expect(() => readRotation(options)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => readRotation(options)).toThrow(message);
  });
});
