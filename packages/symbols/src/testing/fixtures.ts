/** Recorded ELF files (`fixtures/README.md`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'fixtures');

/** Files with recorded answers. */
export const fixtureNames = ['bare-riscv32', 'bare-xtensa'] as const;
type AnsweredName = (typeof fixtureNames)[number];
export type FixtureName = AnsweredName | 'bare-arm';

export function fixture(name: FixtureName): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(join(folder, `${name}.elf`)));
}

/** Returns the recorded answers of `llvm-addr2line`, one for each address at which the answer changes. */
export function fixtureAnswers(name: AnsweredName): string {
  return readFileSync(join(folder, `${name}.answers.txt`), 'utf8');
}
