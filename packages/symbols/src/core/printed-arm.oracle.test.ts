/**
 * Compares frames from printed faults of Cortex-M, including their stack, with the frames that GDB finds while the
 * program is stopped in its handler.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { panicsOfText } from '../panic/panic-text.ts';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { missingTools } from '../testing/toolchains.ts';
import { type CrashProgram, readCrashProgram } from '../unwind/crash-program.ts';
import { isGuess } from '../unwind/stack-frame.ts';
import type { ComparedLine } from '../unwind/testing/compared-stacks.ts';
import {
  type ArmTarget,
  armTargets,
  armTools,
  crashedArmProgram,
  ramSize,
} from '../unwind/testing/crashed-arm-program.ts';
import { unwind } from '../unwind/unwind.ts';
import type { CoreMemory } from './core-memory.ts';
import { type CrashReport, crashReport } from './crash-report.ts';
import { printedDump } from './printed-dump.ts';
import { readCoreDump } from './read-core-dump.ts';

const missing = missingTools(armTools);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: stacks of ARM faults in a log.`);
}

const digits = (value = 0) => (value >>> 0).toString(16).padStart(8, '0');
const hex = (value?: number) => `0x${digits(value)}`;

interface Fault {
  /** Address of the registers that the exception saved. */
  readonly frame: number;
  /** Size of these registers in bytes, including the padding of the stack. */
  readonly size: number;
  readonly exceptionReturn: number;
  /** State before the exception, by DWARF number. */
  readonly registers: readonly (number | undefined)[];
  readonly pc: number;
  readonly xpsr: number;
  readonly memory: CoreMemory;
  /** Address behind the stack. */
  readonly stackEnd: number;
}

const rows = (
  { memory, stackEnd }: Fault,
  from: number,
  perRow: number,
  form: (address: number, words: number[]) => string,
) =>
  Array.from({ length: Math.ceil((stackEnd - from) / 4 / perRow) }, (_, row) => {
    const address = from + 4 * perRow * row;
    const count = Math.min(perRow, (stackEnd - address) / 4);
    return form(
      address,
      Array.from({ length: count }, (_word, index) => memory.word(address + 4 * index) ?? 0),
    );
  });

/** Prints a fault like `cm_backtrace.c`: the stack behind the saved registers, then the registers. */
function cmBacktrace(fault: Fault): string[] {
  const [r0, r1, r2, r3] = fault.registers;
  const from = fault.frame + (fault.exceptionReturn & 0x10 ? 32 : 104);
  return [
    'Firmware name: crash, hardware version: V1.0.0, software version: V0.1.0',
    'Fault on interrupt or bare metal(no OS) environment',
    '===== Thread stack information =====',
    ...rows(fault, from, 1, (address, [word]) => `  addr: ${digits(address)}    data: ${digits(word)}`),
    '====================================',
    '=================== Registers information ====================',
    `  R0 : ${digits(r0)}  R1 : ${digits(r1)}  R2 : ${digits(r2)}  R3 : ${digits(r3)}`,
    `  R12: ${digits(fault.registers[12])}  LR : ${digits(fault.registers[14])}  PC : ${digits(fault.pc)}  PSR: ${digits(fault.xpsr)}`,
    '==============================================================',
    'Usage fault is caused by attempts to execute an undefined instruction',
  ];
}

/** Prints a fault like Mbed OS with `MBED_STACK_DUMP_ENABLED`. */
function mbed(fault: Fault): string[] {
  const general = fault.registers.slice(0, 13).map((value, index) => `R${String(index).padEnd(4)}: ${digits(value)}`);
  return [
    '++ MbedOS Fault Handler ++',
    '',
    'FaultType: HardFault',
    '',
    'Context:',
    ...general,
    `SP   : ${digits(fault.frame + fault.size)}`,
    `LR   : ${digits(fault.registers[14])}`,
    `PC   : ${digits(fault.pc)}`,
    `xPSR : ${digits(fault.xpsr)}`,
    'PSP  : 00000000',
    `MSP  : ${digits(fault.frame - 40)}`,
    'Mode : Thread',
    'Stack: MSP',
    '',
    '-- MbedOS Fault Handler --',
    '',
    '++ MbedOS Error Info ++',
    'Error Status: 0x80FF013D Code: 317 Module: 255',
    'Error Message: Fault exception',
    `Location: 0x${digits(fault.pc).toUpperCase()}`,
    'Stack Dump: MSP',
    ...rows(fault, fault.frame + fault.size, 8, (address, words) => `${hex(address)}:${words.map(hex).join(' ')} `),
  ];
}

/** Prints a fault like handlers of STM32 programs: the saved registers by name, then the stack from them on. */
function stm32(fault: Fault, more: readonly string[] = []): string[] {
  const [r0, r1, r2, r3] = fault.registers;
  return [
    '[HardFault]',
    `R0  = ${hex(r0)}`,
    `R1  = ${hex(r1)}`,
    `R2  = ${hex(r2)}`,
    `R3  = ${hex(r3)}`,
    `R12 = ${hex(fault.registers[12])}`,
    `LR  = ${hex(fault.registers[14])}`,
    `PC  = ${hex(fault.pc)}`,
    `PSR = ${hex(fault.xpsr)}`,
    ...more,
    'Stack:',
    ...rows(fault, fault.frame, 4, (address, words) => `${hex(address)}: ${words.map(hex).join(' ')}`),
  ];
}

const withReturn = (fault: Fault) => stm32(fault, [`LR/EXC_RETURN= ${digits(fault.exceptionReturn)}`]);

const formats = { CmBacktrace: cmBacktrace, 'Mbed OS': mbed, STM32: stm32, 'STM32 with EXC_RETURN': withReturn };

const linesOf = (report: CrashReport | null): ComparedLine[] =>
  (report?.tasks[0]?.frames ?? []).flatMap(({ places }) =>
    places.map(({ name = '', file = '', line }) => ({
      function: name.replace(/\..*/, ''),
      place: `${file.split('/').at(-1)}:${line}`,
    })),
  );

describe.runIf(missing.length === 0)('a fault of Cortex-M that was printed with its stack', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-printed-arm-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function crash(target: ArmTarget, level: string) {
    const flags = ['-g', level, '-fno-unwind-tables', '-fno-asynchronous-unwind-tables'];
    const { elf, core, stack } = crashedArmProgram(folder, `${target}${level}`, target, flags);
    const program = await readCrashProgram(await openSymbolFile(bytesSource(readFileSync(elf))));
    const { memory, tasks } = await readCoreDump(readFileSync(core));
    const stopped = tasks[0]?.registers ?? { pc: 0, general: [], special: {} };
    const { frames } = unwind('arm', program, memory.with(program.memory), stopped);
    const at = frames.findIndex(({ source }) => source === 'exception-frame');
    const interrupted = frames[at];
    const frame = frames[at - 1]?.frameEnd ?? 0;
    const fault: Fault = {
      frame,
      size: (interrupted?.sp ?? 0) - frame,
      exceptionReturn: (interrupted?.sp ?? 0) - frame < 64 ? 0xffff_fff9 : 0xffff_ffe9,
      registers: interrupted?.registers ?? [],
      pc: interrupted?.pc ?? 0,
      xpsr: memory.word(frame + 28) ?? 0,
      memory,
      stackEnd: armTargets[target].ram + ramSize,
    };
    const inHandler = stack.findIndex((one) => one.function === 'fault_handler');
    return { program, fault, stack: stack.slice(inHandler + 1) };
  }

  async function reportOf(lines: readonly string[], program: CrashProgram): Promise<CrashReport | null> {
    const marks = panicsOfText(lines.join('\r\n')).flatMap((port) => port.map(({ mark }) => mark));
    const dump = printedDump(marks, null);
    return dump && (await crashReport(dump, program));
  }

  for (const target of Object.keys(armTargets) as ArmTarget[]) {
    for (const level of ['-O0', '-Og', '-O2', '-Os']) {
      it(`has GDB's frames in each format: ${target}, ${level}`, { timeout: 60_000 }, async () => {
        const { program, fault, stack } = await crash(target, level);
        expect(stack.length).toBeGreaterThan(8);
        for (const [name, print] of Object.entries(formats)) {
          for (const prefix of ['', '[12:34:56.789] ']) {
            const lines = print(fault).map((line) => `${prefix}${line}`);
            const report = await reportOf(lines, program);
            expect(linesOf(report), `${name} ${JSON.stringify(prefix)}`).toEqual(stack);
            expect(report?.tasks[0]?.end).toBe('whole');
          }
        }
      });
    }
  }

  const isCertain = (report: CrashReport | null) => report?.tasks[0]?.frames.every(({ source }) => !isGuess(source));

  it('has certain frames where all registers were printed', { timeout: 60_000 }, async () => {
    const { program, fault } = await crash('Cortex-M3', '-O0');
    expect(isCertain(await reportOf(mbed(fault), program))).toBe(true);
    expect(isCertain(await reportOf(stm32(fault), program))).toBe(false);
  });

  it('has guesses where nothing says how much the exception saved', { timeout: 60_000 }, async () => {
    const { program, fault } = await crash('Cortex-M4F', '-O2');
    const unsure = await reportOf(stm32(fault), program);
    const sources = unsure?.tasks[0]?.frames.map(({ source }) => source);
    // Both possible frame sizes lead to the caller of the innermost function.
    expect(sources?.slice(0, 3)).toEqual(['registers', 'call-frames', 'behind-guess']);
    const sure = await reportOf(withReturn(fault), program);
    expect(sure?.tasks[0]?.frames[2]?.source).toBe('call-frames');
    // A program without floating point has only one possible size.
    const plain = await crash('Cortex-M0', '-O0');
    expect([program.usesFloatingPoint, plain.program.usesFloatingPoint]).toEqual([true, false]);
  });

  it('has the frame that stopped and the one of LR where only registers were printed', {
    timeout: 60_000,
  }, async () => {
    const { program, fault, stack } = await crash('Cortex-M3', '-Os');
    const lines = stm32(fault);
    const report = await reportOf(lines.slice(0, lines.indexOf('Stack:')), program);
    const task = report?.tasks[0];
    expect(task).toMatchObject({ end: 'unknown', memory: null });
    expect(task?.frames.map(({ source }) => source)).toEqual(['registers', 'link-register']);
    expect(linesOf(report)).toEqual(stack.slice(0, linesOf(report).length));
  });

  it('takes no LR for a caller that a call of the function itself left', { timeout: 60_000 }, async () => {
    const { program, fault } = await crash('Cortex-M3', '-O0');
    const { frames } = unwind('arm', program, fault.memory.with(program.memory), {
      pc: fault.pc,
      general: fault.registers,
      special: {},
    });
    const deepest = frames[2];
    // The program stopped after its call, so LR contains that call's return address.
    const registers = { ...fault, pc: deepest?.pc ?? 0, registers: fault.registers.with(14, (deepest?.pc ?? 0) + 1) };
    const lines = stm32(registers);
    const report = await reportOf(lines.slice(0, lines.indexOf('Stack:')), program);
    expect(linesOf(report).map((one) => one.function)).toEqual(['deepest']);
  });
});
