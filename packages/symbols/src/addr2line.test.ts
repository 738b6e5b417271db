/** Compares lookups with reference tools, for each address of programs that are built during the test. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSymbolFile } from './symbol-file.ts';
import { type AnswerFrame, asAnswer, askAddr2line } from './testing/addr2line.ts';
import { bytesSource } from './testing/bytes-source.ts';
import { codeAddresses } from './testing/code-addresses.ts';
import { builds, builtIn, gnuBuilds, hosted, missingTools } from './testing/toolchains.ts';

const BUILD_TIME = 120_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-symbols-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function open(elf: string) {
  const file = await openSymbolFile(bytesSource(readFileSync(elf)));
  return { file, addresses: codeAddresses(file) };
}

const places = (frames: readonly AnswerFrame[]) => frames.map(({ file, line }) => `${file}:${line}`);

const missing = missingTools([...new Set([...builds, ...gnuBuilds].flatMap(({ tools }) => tools)), 'llvm-addr2line']);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: programs that are built or read with it.`);
}

describe('llvm-addr2line', () => {
  for (const build of builds) {
    const lacking = missingTools([...build.tools, 'llvm-addr2line']);
    it.runIf(lacking.length === 0)(
      `agrees: ${build.name}`,
      async () => {
        const elf = builtIn(folder, build);
        const { file, addresses } = await open(elf);
        const expected = askAddr2line('llvm-addr2line', elf, addresses);
        expect(addresses.map((address) => asAnswer(address, file.lookup(address)))).toEqual(expected);
      },
      BUILD_TIME,
    );
  }

  it.runIf(missingTools(['g++', 'llvm-addr2line']).length === 0)(
    'agrees on names for people',
    async () => {
      const elf = builtIn(folder, hosted('g++', 'shapes.cpp', '-gdwarf-5', '-O2'));
      const { file, addresses } = await open(elf);
      const expected = askAddr2line('llvm-addr2line', elf, addresses, true);
      // Newer versions of LLVM close template arguments with `>>`.
      const names = (frames: readonly AnswerFrame[]) => frames.map((frame) => frame.function.replaceAll('> >', '>>'));
      for (const [index, { frames }] of expected.entries()) {
        const address = addresses[index] ?? 0;
        expect(names(asAnswer(address, file.lookup(address), true).frames)).toEqual(names(frames));
      }
    },
    BUILD_TIME,
  );
});

describe('GNU addr2line', () => {
  for (const { addr2line, ...build } of gnuBuilds) {
    const lacking = missingTools([...build.tools, addr2line]);
    it.runIf(lacking.length === 0)(
      `agrees on files and lines: ${build.name}`,
      async () => {
        const elf = builtIn(folder, build);
        const { file, addresses } = await open(elf);
        // GNU uses its own rules to choose symbols outside debug information, so those addresses are left out.
        const known = addresses.filter((address) => file.lookup(address).some(({ line }) => line !== undefined));
        expect(known.length).toBeGreaterThan(50);
        const expected = askAddr2line(addr2line, elf, known).map(({ frames }) => places(frames));
        expect(known.map((address) => places(asAnswer(address, file.lookup(address)).frames))).toEqual(expected);
      },
      BUILD_TIME,
    );
  }
});
