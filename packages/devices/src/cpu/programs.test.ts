/**
 * Compiled ordinary C gives the known answers. The stored builds always run; fresh builds run where the compilers are
 * installed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../testing/hex.ts';
import { answers } from './testing/answers.ts';
import { hasCompiler, outputHere, programs, riscv, withBuilt, xtensa } from './testing/toolchain.ts';

interface Vector {
  readonly target: 'riscv' | 'xtensa';
  readonly level: string;
  readonly code: string;
  readonly data: string;
}

const targets = { riscv, xtensa };
const folder = join(import.meta.dirname, 'testing', 'vectors');
const vectors = readdirSync(folder).map((name): Vector => JSON.parse(readFileSync(join(folder, name), 'utf8')));

describe('a program that was built once', () => {
  it.each(vectors)('gives the known answers: $target $level', ({ target, code, data }) => {
    const image = {
      code: new Uint8Array(Buffer.from(code, 'base64')),
      data: new Uint8Array(Buffer.from(data, 'base64')),
    };
    expect(hexOf(outputHere(targets[target], image))).toBe(hexOf(answers()));
  });

  it('is there for both processors', () => {
    expect(vectors.map(({ target, level }) => `${target}${level}`).sort()).toEqual([
      'riscv-O0',
      'riscv-Os',
      'xtensa-O0',
      'xtensa-Os',
    ]);
  });
});

describe.each([riscv, xtensa])('a program that is built now for $name', (target) => {
  const text = readFileSync(join(programs, 'answers.c'), 'utf8');

  it.skipIf(!hasCompiler(target)).each(['-O0', '-O1', '-O2', '-O3', '-Os'])(
    'gives the known answers with %s',
    (level) => {
      const output = withBuilt(target, { name: 'answers.c', text }, [level], (image) => outputHere(target, image));
      expect(hexOf(output)).toBe(hexOf(answers()));
    },
  );
});
