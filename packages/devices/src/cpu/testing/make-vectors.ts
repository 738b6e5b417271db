/**
 * `node packages/devices/src/cpu/testing/make-vectors.ts`: builds programs/answers.c for both processors into
 * vectors/, for machines without compilers. Needs Debian's gcc-riscv64-unknown-elf and gcc-xtensa-lx106.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programs, riscv, withBuilt, xtensa } from './toolchain.ts';

const text = readFileSync(join(programs, 'answers.c'), 'utf8');
for (const target of [riscv, xtensa]) {
  for (const level of ['-O0', '-Os']) {
    const vector = withBuilt(target, { name: 'answers.c', text }, [level], ({ code, data }) => ({
      source: 'answers.c',
      target: target.name,
      level,
      code: Buffer.from(code).toString('base64'),
      data: Buffer.from(data).toString('base64'),
    }));
    const path = join(import.meta.dirname, 'vectors', `${target.name}${level}.json`);
    writeFileSync(path, `${JSON.stringify(vector, null, 2)}\n`);
  }
}
