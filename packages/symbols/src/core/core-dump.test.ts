import { isLong, randomBytes } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CoreDump } from './core-dump.ts';
import { CoreDumpError } from './core-failure.ts';
import { readCoreDump } from './read-core-dump.ts';
import {
  appInfo,
  coreElf,
  extraInfo,
  joined,
  panicDetails,
  printed,
  riscvStatus,
  words,
  xtensaStatus,
} from './testing/dump-files.ts';
import { wrapped } from './testing/wrapped-dump.ts';

const stack = { address: 0x3fc8_e9d0, bytes: words(1, 2, 3, 4) };
const registers = Array.from({ length: 32 }, (_, index) => 0x4038_0000 + index);
const elf = coreElf({
  machine: 243,
  notes: [
    riscvStatus(0x3fc8_ec30, registers),
    riscvStatus(0x3fc8_f38c, registers),
    appInfo(0x0005_0102, '7d946a8e8'),
    extraInfo(0x3fc8_ec30),
    panicDetails('abort() was called at PC 0x42009351 on core 0'),
  ],
  memory: [stack],
});
const dump = wrapped(5, 0x102, [0, 0, 0, 3], elf);

async function failureOf(bytes: Uint8Array): Promise<string> {
  const error: unknown = await readCoreDump(bytes).catch((reason: unknown) => reason);
  return error instanceof CoreDumpError ? error.code : `${error}`;
}

/** Expects at most four bytes in memory for each byte of the file, and at most as many segments and tasks as bytes. */
function expectBounded(read: CoreDump, from: Uint8Array): void {
  const held = read.memory.segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(held).toBeLessThanOrEqual(4 * from.length);
  expect(read.memory.segments.length + read.tasks.length).toBeLessThanOrEqual(from.length);
}

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('a core dump', () => {
  it('is read with its tasks, memory and cause', async () => {
    const read = await readCoreDump(dump);
    expect(read).toMatchObject({
      header: { version: 0x102, chipId: 5, chipRevision: 3, checksum: 'crc32' },
      machine: 'riscv',
      crashedTask: 0x3fc8_ec30,
      inInterrupt: false,
      cause: null,
      panicDetails: 'abort() was called at PC 0x42009351 on core 0',
      appHash: '7d946a8e8',
    });
    expect(read.tasks.map(({ tcb }) => tcb)).toEqual([0x3fc8_ec30, 0x3fc8_f38c]);
    expect(read.tasks[0]?.registers).toMatchObject({ pc: 0x4038_0000, general: [0, ...registers.slice(1)] });
    expect(read.memory.word(stack.address + 8)).toBe(3);
    expect(read.memory.read(stack.address + 8, 12)).toBeUndefined();
  });

  it.each([
    [0x100, [2, 340, 0]],
    [0x101, [2, 340, 0]],
    [0x102, [2, 340, 0, 3]],
    [0x103, [2, 340, 0, 3]],
    [0x104, [3]],
  ])('is read in version %i', async (version, fields) => {
    const read = await readCoreDump(wrapped(13, version, fields, elf));
    expect(read.tasks).toHaveLength(2);
    expect(read.header?.chipRevision).toBe(fields.length === 4 || version === 0x104 ? 3 : null);
  });

  it('is read as text from a console, with output of another core in between', async () => {
    const lines = printed(dump).split('\r\n');
    const log = [
      'I (312) main: hello',
      ...lines.slice(0, 3),
      'W (400) wifi: still here',
      ...lines.slice(3),
      'Rebooting...',
    ];
    const read = await readCoreDump(utf8(`\u001b[0;31m${log.join('\r\n')}\u001b[0m`));
    expect(read.tasks).toHaveLength(2);
  });

  it('is the last one of a log that has several', async () => {
    const other = wrapped(
      5,
      0x102,
      [0, 0, 0, 3],
      coreElf({ machine: 243, notes: [riscvStatus(7, registers)], memory: [] }),
    );
    expect((await readCoreDump(utf8(printed(dump) + printed(other)))).crashedTask).toBe(7);
  });

  it('is read as Base64 alone', async () => {
    const lines = printed(dump, '\n').split('\n').slice(1, -2);
    expect((await readCoreDump(utf8(lines.join('\n')))).tasks).toHaveLength(2);
  });

  it('is read as an ELF core file without a header', async () => {
    expect(await readCoreDump(elf)).toMatchObject({ header: null, machine: 'riscv' });
  });

  it('is read from a partition that is larger than the dump', async () => {
    expect((await readCoreDump(joined(dump, new Uint8Array(4_096).fill(0xff)))).tasks).toHaveLength(2);
  });

  it('is checked in slices if it has megabytes', async () => {
    const memory = [{ address: 0x3c00_0000, bytes: new Uint8Array(3 << 20) }];
    const large = wrapped(5, 0x102, [0, 0, 0, 3], coreElf({ machine: 243, notes: [], memory }));
    let pauses = 0;
    await readCoreDump(large, { pause: async () => void pauses++ });
    expect(pauses).toBe(3);
  });

  it('gives the cause and the register window of an Xtensa chip', async () => {
    const window = Array.from({ length: 16 }, (_, index) => 0x100 + index);
    const read = await readCoreDump(
      coreElf({
        machine: 94,
        notes: [xtensaStatus(1, 0x4008_110d, 0x60020, window), extraInfo(1, 232, 29, 238, 0x10)],
        memory: [],
      }),
    );
    expect(read.cause).toEqual({ number: 29, address: 0x10 });
    expect(read.tasks[0]?.registers).toMatchObject({ pc: 0x4008_110d, general: window, special: { ps: 0x60020 } });
  });

  it('gives the exception registers of each level of an Xtensa chip', async () => {
    const notes = [
      xtensaStatus(1, 0x4008_110d, 0x60020, []),
      xtensaStatus(2, 0x4008_110d, 0x60020, []),
      extraInfo(1, 232, 29, 238, 0x10, 177, 0x4008_1111, 183, 0x4008_7777, 194, 0x60022),
    ];
    const { tasks } = await readCoreDump(coreElf({ machine: 94, notes, memory: [] }));
    expect(tasks[0]?.registers?.special).toMatchObject({
      exccause: 29,
      excvaddr: 0x10,
      epc1: 0x4008_1111,
      epc7: 0x4008_7777,
      eps2: 0x60022,
    });
    expect(tasks[1]?.registers?.special).not.toHaveProperty('epc1');
  });

  it('reports that it was made in an interrupt, and names the interrupted task', async () => {
    const notes = [riscvStatus(0x42, registers), extraInfo(0xdead_beef)];
    expect(await readCoreDump(coreElf({ machine: 243, notes, memory: [] }))).toMatchObject({
      inInterrupt: true,
      crashedTask: 0x42,
    });
  });

  it('has registers, stacks and segments in the binary format', async () => {
    const frame = words(
      1,
      0x400d_66b9,
      0x60030,
      ...Array.from({ length: 16 }, (_, index) => index),
      9,
      28,
      0x10,
      0,
      0,
      0,
    );
    const solicited = words(
      0,
      0x400d_1000,
      0x60020,
      0,
      0x800d_2000,
      0x3ffb_0000,
      2,
      3,
      ...new Array<number>(17).fill(0),
    );
    const content = joined(
      words(0x3ffa_f000, 0x3ffb_4000, 0x3ffb_4000 + frame.length),
      words(11, 12),
      frame,
      words(0x3ffa_f100, 0x3ffb_5000, 0x3ffb_5000 + solicited.length),
      words(21, 22),
      solicited,
      words(0x3ffb_9000, 8, 31, 32),
    );
    const read = await readCoreDump(wrapped(0, 3, [2, 8, 1, 300], content));
    expect(read).toMatchObject({ machine: 'xtensa', crashedTask: 0x3ffa_f000, cause: { number: 28, address: 0x10 } });
    // The exception flag does not describe the interrupted code.
    expect(read.tasks[0]?.registers).toMatchObject({ pc: 0x400d_66b9, special: { ps: 0x60020, sar: 9 } });
    expect(read.tasks[1]?.registers).toMatchObject({ pc: 0x400d_1000, general: [0x800d_2000, 0x3ffb_0000, 2, 3] });
    expect(read.memory.word(0x3ffa_f104)).toBe(22);
    expect(read.memory.word(0x3ffb_9004)).toBe(32);
  });

  it('keeps a task with a corrupt stack, without registers', async () => {
    const content = joined(words(0x3ffa_f000, 0x2000_0000, 0x2000_0004), words(11, 12), words(0));
    const read = await readCoreDump(wrapped(0, 3, [1, 8, 0, 300], content));
    expect(read.tasks).toEqual([{ tcb: 0x3ffa_f000, registers: null }]);
  });
});

/**
 * Returns a core file whose program headers all refer to the whole file.
 * @param step distance between the headers in bytes
 */
function sameSegments(step: number): Uint8Array {
  const file = coreElf({ machine: 243, notes: [], memory: Array.from({ length: 40 }, () => stack) });
  const view = new DataView(file.buffer);
  const table = view.getUint32(28, true);
  for (let index = 0; index < 40; index++) {
    view.setUint32(table + 32 * index, 1, true);
    view.setUint32(table + 32 * index + 4, 0, true);
    view.setUint32(table + 32 * index + 16, file.length, true);
  }
  view.setUint16(42, step, true);
  view.setUint16(44, step === 0 ? 0xffff : 40, true);
  return file;
}

describe('invalid core dumps', () => {
  const flipped = (index: number) => dump.map((byte, at) => (at === index ? byte ^ 1 : byte));
  it.each([
    ['an erased partition', new Uint8Array(65_536).fill(0xff), 'empty'],
    ['an empty file', new Uint8Array(), 'no-dump'],
    ['a log without a dump', utf8('I (12) boot: hello\n'), 'no-dump'],
    ['a partition of zeros', new Uint8Array(65_536), 'empty'],
    ['a partition of one value', new Uint8Array(65_536).fill(0x55), 'foreign'],
    ['an image of firmware', Uint8Array.from([0xe9, 4, 2, 0x20, ...new Uint8Array(400)]), 'foreign'],
    ['an archive', Uint8Array.from([0x50, 0x4b, 3, 4, ...randomBytes(400)]), 'foreign'],
    ['a web page', utf8('<!DOCTYPE html>\n<html><body>404</body></html>'), 'foreign'],
    ['a JSON document', utf8('{"name": "firmware",\n"builds": []}'), 'foreign'],
    ['a log with a NUL at its start', utf8('\0I (12) boot: hello\n'), 'no-dump'],
    ['a dump without its last lines', utf8(printed(dump).split('\r\n').slice(0, 5).join('\r\n')), 'truncated'],
    ['a dump that lost a line', utf8(printed(dump).split('\r\n').toSpliced(4, 1).join('\r\n')), 'truncated'],
    ['a dump cut off', dump.subarray(0, 200), 'truncated'],
    ['one changed byte', flipped(120), 'checksum'],
    ['a changed checksum', flipped(dump.length - 1), 'checksum'],
    ['a newer version', wrapped(5, 0x201, [0], elf), 'unknown-version'],
    [
      'encrypted flash',
      new Uint8Array([200, 1, 77, 213, ...new Uint8Array(64).map((_, index) => 255 - index)]),
      'unreadable',
    ],
    ['the ELF file of the program', coreElf({ machine: 243, notes: [], memory: [], type: 2 }), 'not-a-core'],
    ['a core file of another processor', coreElf({ machine: 62, notes: [], memory: [] }), 'unknown-machine'],
    [
      'a note that is too short',
      coreElf({ machine: 243, notes: [{ name: 'CORE', type: 1, content: words(1) }], memory: [] }),
      'damaged',
    ],
    ['segments that are all the same bytes', sameSegments(32), 'damaged'],
    ['program headers of no size', sameSegments(0), 'damaged'],
    ['a binary dump with fewer tasks than it says', wrapped(0, 3, [9, 8, 0, 300], words(1, 2, 3)), 'damaged'],
  ])('are refused with their reason: %s', async (_what, bytes, code) => {
    expect(await failureOf(bytes)).toBe(code);
  });

  it('are read or refused with a code after random damage, without a long wait', { timeout: 60_000 }, async () => {
    const seeds = isLong ? 10_000 : 1_000;
    const sources = [
      elf,
      dump,
      utf8(printed(dump)),
      wrapped(0, 3, [1, 8, 0, 300], joined(words(1, 2, 30), new Uint8Array(80))),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        fc.array(fc.tuple(fc.nat(1_000), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        fc.nat(1_000),
        async (source, changes, cut) => {
          const bytes = source.slice(0, cut < 200 ? source.length - Math.min(cut, source.length) : source.length);
          for (const [at, value] of changes) {
            if (bytes.length > 0) {
              bytes[at % bytes.length] = value;
            }
          }
          const error: unknown = await readCoreDump(bytes).then(
            (read) => expectBounded(read, bytes),
            (reason: unknown) => reason,
          );
          expect(error === undefined || error instanceof CoreDumpError, `${error}`).toBe(true);
        },
      ),
      { numRuns: seeds },
    );
  });

  it('are refused with a code if they are noise', async () => {
    for (let round = 0; round < 200; round++) {
      expect(await failureOf(Uint8Array.from([0x80, ...randomBytes(300)]))).not.toContain(' ');
    }
  });
});
