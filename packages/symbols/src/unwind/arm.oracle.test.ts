/** Compares stacks with GDB, for Cortex-M programs that are built during the test and run into a fault in QEMU. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCoreDump } from '../core/read-core-dump.ts';
import { joined } from '../core/testing/dump-files.ts';
import { armBlock, memoryBlock, printedZephyr, zephyrHeader } from '../core/testing/zephyr-dump.ts';
import { decodeAddresses } from '../panic/lookup-address.ts';
import { PanicRecogniser } from '../panic/panic-recogniser.ts';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { missingTools } from '../testing/toolchains.ts';
import { gdbFrames, ourFrames } from './testing/compared-stacks.ts';
import { type ArmTarget, armTargets, armTools, crashedArmProgram } from './testing/crashed-arm-program.ts';
import { runTool } from './testing/crashed-program.ts';

const levels = ['-O0', '-Og', '-O1', '-O2', '-Os', '-O3'];
const targets = Object.keys(armTargets) as ArmTarget[];
const withIndex = ['-funwind-tables', '-fno-asynchronous-unwind-tables'];
const withoutIndex = ['-fno-unwind-tables', '-fno-asynchronous-unwind-tables'];

const missing = missingTools(armTools);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: ARM stacks that are compared with GDB's.`);
}

describe.runIf(missing.length === 0)('GDB', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-arm-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const target of targets) {
    for (const level of levels) {
      const name = `${target}${level}`;

      it(`sees the same stack by .debug_frame and .ARM.exidx: ${target}, ${level}`, { timeout: 60_000 }, async () => {
        const { elf, core, stack: theirs } = crashedArmProgram(folder, name, target, ['-g', level, ...withIndex]);
        expect(theirs.length).toBeGreaterThan(10);
        const ours = await ourFrames(elf, core);
        expect(ours.lines).toEqual(theirs);
        expect(ours.end).toBe('whole');
        expect(new Set(ours.sources)).toEqual(new Set(['registers', 'call-frames', 'exception-frame']));

        // Compares with the same stack of GDB for the index alone: without .debug_frame, GDB guesses by prologues.
        const indexed = join(folder, `${name}-index.elf`);
        runTool('arm-none-eabi-objcopy', ['--remove-section', '.debug_frame', elf, indexed]);
        const byIndex = await ourFrames(indexed, core);
        expect(byIndex.lines).toEqual(theirs);
        expect(byIndex.end).toBe('whole');
        expect(byIndex.sources).not.toContain('call-frames');
        // The innermost function was interrupted. The index is usually valid there, but frames found by it are
        // guesses.
        expect(byIndex.sources.slice(0, 3)).toEqual(['registers', 'exception-index-guess', 'behind-guess']);
      });

      it(`sees the same stack without .ARM.exidx: ${target}, ${level}`, { timeout: 60_000 }, async () => {
        const { elf, core, stack } = crashedArmProgram(folder, `${name}-plain`, target, ['-g', level, ...withoutIndex]);
        const ours = await ourFrames(elf, core);
        expect(ours.lines).toEqual(stack);
        expect(ours.end).toBe('whole');
      });
    }

    it(`sees the stack of code that ran on the process stack: ${target}`, { timeout: 60_000 }, async () => {
      const flags = ['-g', '-Og', ...withIndex, '-DPROCESS_STACK'];
      const { elf, core, memory } = crashedArmProgram(folder, `${target}-process`, target, flags);
      const main = crashedArmProgram(folder, `${target}-main`, target, ['-g', '-Og', ...withIndex]);
      const symbols = runTool('arm-none-eabi-nm', [elf]);
      const at = Number.parseInt(/^([0-9a-f]+) . process_stack_pointer$/m.exec(symbols)?.[1] ?? '', 16);
      const { lines } = await ourFrames(elf, core, { psp: memory.word(at) ?? 0 });
      const functions = (stack: typeof lines) => stack.map((one) => one.function);
      expect(functions(lines)).toEqual(functions(main.stack));
      // A core file does not contain the process stack pointer.
      const unknown = await ourFrames(elf, core);
      expect(unknown).toMatchObject({ end: 'unknown', sources: ['registers', 'call-frames'] });
    });
  }

  it('sees the same stack as a core dump in the log of Zephyr gives', { timeout: 60_000 }, async () => {
    const flags = ['-g', '-O2', ...withIndex];
    const { elf, core, memory, stack } = crashedArmProgram(folder, 'zephyr', 'Cortex-M4F', flags);
    const { tasks } = await readCoreDump(readFileSync(core));
    const { pc, general, special } = tasks[0]?.registers ?? { pc: 0, general: [], special: {} };
    const at = (register: number) => general[register] ?? 0;
    const kept = [4, 5, 6, 7, 8, 9, 10, 11].map(at);
    const registers = [at(0), at(1), at(2), at(3), at(12), at(14), pc, special['xpsr'] ?? 0, at(13), ...kept, 1, 0];
    const [segment] = memory.segments;
    const dump = joined(
      zephyrHeader(3, 0),
      armBlock(3, registers),
      memoryBlock(segment?.address ?? 0, segment?.bytes ?? new Uint8Array()),
    );
    const log = join(folder, 'zephyr.log');
    writeFileSync(log, printedZephyr(dump));
    expect((await ourFrames(elf, log)).lines).toEqual(stack);
  });

  it('names the same functions as the addresses in the log of a fault', { timeout: 60_000 }, async () => {
    const { elf, core, stack } = crashedArmProgram(folder, 'log', 'Cortex-M0', ['-g', '-Os', ...withIndex]);
    const { tasks } = await readCoreDump(readFileSync(core));
    const { pc, general } = tasks[0]?.registers ?? { pc: 0, general: [] };
    const [at, link] = [pc, general[14] ?? 0].map((value) => value.toString(16).padStart(8, '0'));
    const file = await openSymbolFile(bytesSource(readFileSync(elf)));
    const recogniser = new PanicRecogniser();
    const marks = [`R0 = 0x00000000 R12 = 0x0 LR = 0x${link} PC = 0x${at}`].flatMap(
      (line) => recogniser.line(line) ?? [],
    );
    const decoded = marks.flatMap(({ addresses }) => decodeAddresses(file, addresses));
    const places = decoded.map(({ address, frames }) => `${address.label} ${frames[0]?.name}`);
    expect(places).toEqual([`LR ${stack[1]?.function}`, `PC ${stack[0]?.function}`]);
  });

  it('opens the core file of an ARM dump', { timeout: 60_000 }, () => {
    const { elf, core, stack } = crashedArmProgram(folder, 'core', 'Cortex-M3', ['-g', '-O2', ...withIndex]);
    expect(gdbFrames(elf, core)).toEqual(stack);
  });
});
