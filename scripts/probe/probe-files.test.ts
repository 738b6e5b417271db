/** What is committed of the RAM program is what its sources give. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import { buildProbe, compilerFor, type ProbeChip, probeChips } from './build-probe.ts';
import { committedFiles, imageOf } from './probe-files.ts';

describe.each(probeChips)('the program for %s', (chip) => {
  const { compiler, entry, segments, sha256, hash } = readSource(chip);
  const installed = compilerFor(chip);
  const isSameCompiler = installed === compiler;
  if (!isSameCompiler) {
    console.info(
      `Not rebuilt: the program for ${chip} was built by ${compiler}, and here is ${installed ?? 'no compiler'}.`,
    );
  }

  it.runIf(isSameCompiler)('is built again byte for byte', { timeout: 120_000 }, () => {
    for (const { path, bytes } of committedFiles(chip, buildProbe(chip))) {
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
    const image = imageOf(chip, { entry, segments });
    const content = segments.flatMap(({ bytes }) => [...bytes]);
    expect(image[image.length - 33]).toBe(content.reduce((sum, byte) => sum ^ byte, 0xef));
    expect((image.length - 32) % 16).toBe(0);
    expect(image.subarray(0, 8).toString('hex')).toBe(`e9020220${swapped(entry)}`);
  });
});

function swapped(word: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(word);
  return bytes.toString('hex');
}

/** The committed source file, read as text: the client's package is none of these scripts'. */
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
