/** Analyses crashes of the demo board, whose output comes from independent code, down to tasks, lines and variables. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashKinds, crashText, espFirmwareSet } from '@wirebench/devices';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrashReport, crashReport } from './core/crash-report.ts';
import { dumpOfText } from './core/dump-text.ts';
import { readCoreDump } from './core/read-core-dump.ts';
import { elfHash, isSameBuild } from './elf-hash.ts';
import { openSymbolFile } from './symbol-file.ts';
import { bytesSource } from './testing/bytes-source.ts';
import { missingTools } from './testing/toolchains.ts';
import { readCrashProgram } from './unwind/crash-program.ts';
import { runTool } from './unwind/testing/crashed-program.ts';

type Kind = (typeof crashKinds)[number];

const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: 'any' });
const elf = set.find(({ name }) => name.endsWith('.elf'))?.data ?? new Uint8Array();
const text = (kind: Kind) => crashText(kind, 4_200);

async function reportOf(kind: Kind): Promise<CrashReport> {
  const dump = await readCoreDump(new TextEncoder().encode(text(kind)));
  return crashReport(dump, await readCrashProgram(await openSymbolFile(bytesSource(elf))));
}

function crashedTask({ tasks: [crashed] }: CrashReport) {
  if (crashed === undefined) {
    throw new Error('No task');
  }
  return crashed;
}

const lines = ({ frames }: CrashReport['tasks'][number]) =>
  frames.map(({ places: [place] }) => `${place?.name} ${place?.line}`);
const variables = (report: CrashReport, frame: number) =>
  crashedTask(report).frames[frame]?.places[0]?.variables?.map(({ name, value }) => `${name} = ${value}`);

describe('a crash of the demo board', () => {
  it.each(crashKinds)('%s: names the build, three tasks, and where each was', async (kind) => {
    const report = await reportOf(kind);
    expect(isSameBuild(await elfHash(bytesSource(elf)), report.appHash ?? '')).toBe(true);
    expect(report.chipId).toBe(0);
    expect(report.tasks.map(({ name }) => name).toSorted()).toEqual(['IDLE0', 'console', 'sensors']);
    expect(report.tasks.map(({ end }) => end)).toEqual(['whole', 'whole', 'whole']);
    for (const task of report.tasks) {
      expect(lines(task).at(-1)).toBe('vPortTaskWrapper 91');
      expect(lines(task).at(-2)).toMatch(/^(?:console|sensor|idle)_task \d+$/);
      expect(task.stack?.used).toBeGreaterThan(0);
    }
  });

  it('null: a null pointer, in a function that was called with it', async () => {
    const report = await reportOf('null');
    expect(report.exception).toMatchObject({ name: 'LoadProhibited', address: 4 });
    expect(lines(crashedTask(report))).toEqual([
      'read_sensor 24',
      'run_command 72',
      'console_task 80',
      'vPortTaskWrapper 91',
    ]);
    expect(variables(report, 0)).toEqual(['sensor = 0x0', 'channel = 3', 'sum = 0']);
    expect(variables(report, 1)?.[0]).toMatch(/^line = 0x3ffb[0-9a-f]{4} "crash null"$/);
    expect(variables(report, 2)).toEqual([`line = "crash null${'\\000'.repeat(13)}"`, 'commands = 3']);
  });

  it('has a fingerprint of the functions of the application', async () => {
    expect((await reportOf('null')).fingerprint).toBe('read_sensor < run_command < console_task');
    expect((await reportOf('stack')).fingerprint).toBe('open_menu < run_command < console_task');
  });

  it('assert: says what did not hold, in the words of the panic handler', async () => {
    const report = await reportOf('assert');
    expect(report).toMatchObject({ exception: null });
    expect(report.panicDetails).toBe('assert failed: check_limit wirebench_demo.c:49 (value <= limit)');
    expect(variables(report, 0)).toEqual(['value = 4200', 'limit = 4095']);
  });

  it('watchdog: names the task that did not come to run', async () => {
    const report = await reportOf('watchdog');
    expect(report.panicDetails).toContain('IDLE0 (CPU 0)');
    expect(lines(crashedTask(report))[0]).toBe('wait_for_bus 56');
  });

  it('stack: is used beyond its end, and all its frames are there', async () => {
    const report = await reportOf('stack');
    const { stack, frames } = crashedTask(report);
    expect(stack && stack.used - (stack.high - stack.low)).toBeGreaterThan(100);
    expect(frames).toHaveLength(25);
    expect(variables(report, 0)).toEqual(['depth = 22', `title = "menu 22${'\\000'.repeat(16)}"`]);
  });

  it('task: in another task than the console', async () => {
    const report = await reportOf('task');
    expect(crashedTask(report).name).toBe('sensors');
    expect(variables(report, 1)).toEqual(['bme280 = {id = 118, value = 2341, name = "bme280\\000"}', 'rounds = 41']);
  });

  it('prints the addresses of the same functions in its backtrace', async () => {
    const file = await openSymbolFile(bytesSource(elf));
    const backtrace = /Backtrace: (.*)\r/.exec(text('null'))?.[1]?.split(' ') ?? [];
    const names = backtrace.map((pair) => file.lookup(Number(pair.split(':')[0]))[0]?.name);
    expect(names).toEqual(['read_sensor', 'run_command', 'console_task', 'vPortTaskWrapper']);
  });
});

/** Debian's GDB does not support Xtensa. Its binutils do, with the library that GDB uses to read core files. */
const objdump = 'xtensa-lx106-elf-objdump';

describe.runIf(missingTools([objdump]).length === 0)('binutils', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-demo-crash-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(crashKinds)('find the registers of all tasks in the ELF core of: %s', { timeout: 60_000 }, async (kind) => {
    const core = join(folder, `${kind}.core`);
    // Removes the header of 24 bytes and the checksum of 4.
    writeFileSync(core, (await dumpOfText(text(kind))).bytes.subarray(24, -4));
    const output = runTool(objdump, ['-h', core]);
    const { tasks } = await reportOf(kind);
    expect([...output.matchAll(/ \.reg\/(\d+) /g)].map(([, task]) => Number(task))).toEqual(
      tasks.map(({ tcb }) => tcb),
    );
    expect(output).toContain('file format elf32-xtensa-le');
  });
});
