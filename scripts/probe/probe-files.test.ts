/** The committed files of the RAM program equal the result of its sources. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import { buildProbe, compilerFor, type ProbeChip, probeChips } from './build-probe.ts';
import { committedFiles, committedRelease, imageOf, nextRelease } from './probe-files.ts';

describe.each(probeChips)('the program for %s', (chip) => {
  const { compiler, entry, segments, sha256, hash } = readSource(chip);
  const { version, programs } = committedRelease();
  const installed = compilerFor(chip);
  const isSameCompiler = installed === compiler;
  if (!isSameCompiler) {
    console.info(
      `Not rebuilt: the program for ${chip} was built by ${compiler}, and here is ${installed ?? 'no compiler'}.`,
    );
  }

  it.runIf(isSameCompiler)('is built again byte for byte', { timeout: 120_000 }, () => {
    for (const { path, bytes } of committedFiles(chip, buildProbe(chip), version)) {
      expect(bytes.equals(readFileSync(path)), path).toBe(true);
    }
  });

  it('has the hash that is written beside it', () => {
    expect(hash).toBe(sha256);
  });

  it('fits: 4 KiB of code, in whole words, and starts in them', () => {
    const code = segments.find(({ address, bytes }) => entry >= address && entry < address + bytes.length);
    expect(code?.bytes.length).toBeLessThanOrEqual(4_096);
    expect(segments.every(({ address, bytes }) => address % 4 === 0 && bytes.length % 4 === 0)).toBe(true);
  });

  it('is in an image whose checksum and hash are right', () => {
    const image = imageOf(chip, { entry, segments }, version);
    const description = [...image.subarray(32, 32 + 256)];
    const content = [...description, ...segments.flatMap(({ bytes }) => [...bytes])];
    expect(image[image.length - 33]).toBe(content.reduce((sum, byte) => sum ^ byte, 0xef));
    expect((image.length - 32) % 16).toBe(0);
    expect(image.subarray(0, 8).toString('hex')).toBe(`e9030220${swapped(entry)}`);
  });

  it('is the one that the version of the release stands for, and the image says that version', () => {
    expect(programs[chip]).toBe(sha256);
    const image = readFileSync(join(root, 'firmware/probe/images', `${chip}.bin`));
    expect(image.equals(imageOf(chip, { entry, segments }, version))).toBe(true);
    expect(image.toString('latin1', 32 + 16, 32 + 16 + 32).replace(/\0+$/, '')).toBe(version);
    expect(image.toString('latin1', 32 + 48, 32 + 48 + 32).replace(/\0+$/, '')).toBe('Wirebench probe');
  });
});

describe('the version of the release', () => {
  const before = { version: '1.9', programs: { esp32: 'a', esp32c3: 'b' } };

  it('rises when one of the programs is another, and only then', () => {
    expect(nextRelease(before, { esp32: 'a', esp32c3: 'b' })).toEqual(before);
    expect(nextRelease(before, { esp32: 'a', esp32c3: 'c' }).version).toBe('1.10');
  });
});

function swapped(word: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(word);
  return bytes.toString('hex');
}

/** Reads the committed source file as text, because scripts must not import the lab's package. */
function readSource(chip: ProbeChip) {
  const text = readFileSync(join(root, 'packages/lab/src/probe/programs', `${chip}.ts`), 'utf8');
  const first = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  const segments = [...text.matchAll(/address: (0x[0-9a-f]+),\s+base64:\s+'([^']+)'/g)].map(
    ([, address, base64 = '']) => ({ address: Number(address), bytes: Buffer.from(base64, 'base64') }),
  );
  return {
    entry: Number(first(/entry: (0x[0-9a-f]+)/)),
    sha256: first(/sha256: '([0-9a-f]+)'/),
    compiler: first(/compiler: '([^']+)'/),
    segments,
    hash: createHash('sha256')
      .update(Buffer.concat(segments.map(({ bytes }) => bytes)))
      .digest('hex'),
  };
}
