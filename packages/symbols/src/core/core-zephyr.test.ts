/** Reads core dumps of Zephyr, written by hand in the format of `coredump_core.c` and the code of each processor. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoreDumpError } from './core-failure.ts';
import { crashReport } from './crash-report.ts';
import { coreDumpBytes } from './dump-bytes.ts';
import { readCoreDump } from './read-core-dump.ts';
import { joined, words } from './testing/dump-files.ts';
import { armBlock, memoryBlock, printedZephyr, zephyrHeader } from './testing/zephyr-dump.ts';

const stack = words(0x11, 0x22, 0x0800_0b35, 0x33);
const registers = [0, 1, 2, 3, 12, 0x0800_0b35, 0x0800_0a2c, 0x6100_0000, 0x2000_0100];
const arm = joined(zephyrHeader(3, 4), armBlock(1, registers), memoryBlock(0x2000_0100, stack));

describe('a core dump of Zephyr', () => {
  it('has the registers, the memory and the reason of the crash', async () => {
    const dump = await readCoreDump(arm);
    expect(dump).toMatchObject({ machine: 'arm', panicDetails: 'Zephyr fatal error 4: Kernel panic', elf: null });
    expect(dump.memory.word(0x2000_0108)).toBe(0x0800_0b35);
    expect(dump.tasks[0]?.registers).toEqual({
      pc: 0x0800_0a2c,
      // The first version lacks r4 to r11.
      general: [0, 1, 2, 3, ...new Array<undefined>(8).fill(undefined), 12, 0x2000_0100, 0x0800_0b35],
      special: { xpsr: 0x6100_0000 },
    });
    const { tasks } = await crashReport(dump, null);
    expect(tasks[0]).toMatchObject({ crashed: true, frames: [{ pc: 0x0800_0a2c }] });
  });

  it.each([
    ['kept', [4, 5, 6, 7, 8, 9, 10, 11], [4, 5, 6, 7, 8, 9, 10, 11]],
    ['not kept', new Array<number>(8).fill(0), new Array<undefined>(8).fill(undefined)],
  ])('has r4 to r11 only if the firmware kept them: %s', async (_, written, known) => {
    const dump = await readCoreDump(
      joined(zephyrHeader(3, 0), armBlock(3, [...registers, ...written, 0, 0]), memoryBlock(0x2000_0100, stack)),
    );
    expect(dump.tasks[0]?.registers?.general.slice(4, 12)).toEqual(known);
  });

  it('gives the registers of RISC-V in both versions', async () => {
    const all = [0, ...Array.from({ length: 31 }, (_, index) => 0x100 + index + 1), 0x4200_0176];
    const newer = await readCoreDump(joined(zephyrHeader(4, 3), armBlock(3, all)));
    expect(newer.tasks[0]?.registers).toMatchObject({ pc: 0x4200_0176, general: all.slice(0, 32) });
    // ra, tp, t0 to t2, a0 to a7, t3 to t6, pc, sp.
    const some = [1, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31, 0x4200_0176, 2];
    const older = await readCoreDump(joined(zephyrHeader(4, 0), armBlock(1, some)));
    const known = older.tasks[0]?.registers;
    expect(known?.pc).toBe(0x4200_0176);
    expect(known?.general).toHaveLength(32);
    expect(known?.general.map((value, register) => value === undefined || value === register)).not.toContain(false);
    expect(known?.general[8]).toBeUndefined();
  });

  it('passes over the blocks of threads and of other cores', async () => {
    const threads = joined(Uint8Array.of(0x54, 1, 0, 3, 0), Uint8Array.of(9, 9, 9));
    const core = joined(Uint8Array.of(0x46, 1, 0, 4, 0), words(1, 0x2000_0000), words(7));
    const dump = await readCoreDump(joined(zephyrHeader(3, 1), armBlock(1, registers), threads, core));
    expect(dump.panicDetails).toBe('Zephyr fatal error 1: Unhandled interrupt');
    expect(dump.tasks).toHaveLength(1);
  });

  it.each([
    ['in the log', '[00:00:00.010,000] <err> coredump: '],
    ['in the minimal log', 'E: '],
    ['behind a time', '12:34:56.789 -> [00:00:00.010,000] <err> coredump: '],
    ['alone', ''],
  ])('is found %s', async (_, prefix) => {
    const log = `${prefix}starting\n${printedZephyr(arm, prefix)}${prefix}Halting system\n`;
    const bytes = new TextEncoder().encode(log);
    expect((await readCoreDump(bytes)).tasks[0]?.registers?.pc).toBe(0x0800_0a2c);
    expect(await coreDumpBytes(bytes)).toEqual(arm);
  });

  it('is found behind colours, and the last one is taken', async () => {
    const other = joined(zephyrHeader(3, 2), armBlock(1, registers));
    const log = printedZephyr(arm) + printedZephyr(other).replaceAll('\n', '\u001b[0m\n');
    const dump = await readCoreDump(new TextEncoder().encode(log));
    expect(dump.panicDetails).toBe('Zephyr fatal error 2: Stack overflow');
  });

  it('is checked by its checksum', async () => {
    const body = joined(zephyrHeader(3, 0, 1), armBlock(1, registers));
    const whole = joined(body, Uint8Array.of(0x43, 1, 0), words(crc32(body)));
    expect((await readCoreDump(whole)).tasks).toHaveLength(1);
    await expect(readCoreDump(whole.with(20, 0x77))).rejects.toMatchObject({ code: 'checksum' });
    await expect(readCoreDump(body)).rejects.toMatchObject({ code: 'truncated' });
  });

  it.each([
    ['a newer version', zephyrHeader(3, 0).with(2, 9), 'unknown-version'],
    ['another processor', zephyrHeader(1, 0), 'unknown-machine'],
    ['64 bits', zephyrHeader(4, 0).with(6, 6), 'unknown-machine'],
    ['a block cut off', arm.subarray(0, arm.length - 3), 'truncated'],
    ['an unknown block', joined(arm, Uint8Array.of(0x51, 1, 0)), 'damaged'],
    ['a log without its end', new TextEncoder().encode(printedZephyr(arm).replace('#CD:END#', '')), 'truncated'],
  ])('is refused with its reason: %s', async (_, bytes, code) => {
    await expect(readCoreDump(bytes)).rejects.toMatchObject({ code });
  });

  it('is read or refused with a code after random damage', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: arm.length - 1 }),
        fc.nat({ max: 255 }),
        fc.nat({ max: 40 }),
        async (at, value, cut) => {
          const damaged = arm.with(at, value).subarray(0, arm.length - cut);
          const outcome = await readCoreDump(damaged).catch((error: unknown) => error);
          expect(outcome instanceof CoreDumpError || (outcome as { machine?: string }).machine !== undefined).toBe(
            true,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
