/** Register commands of the ROM, as observed with genuine ROM code: lists, limits, rings and crashes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breadboard } from '../breadboard/breadboard.ts';
import { labBreadboard } from '../breadboard/lab-breadboard.ts';
import { joined } from '../byte-fields.ts';
import { bytesOf, hexOf } from '../testing/hex.ts';
import { framed, request, words } from './testing/esp-host.ts';
import { entryData, LabRig, type TestEntry } from './testing/lab-rig.ts';

const chips = [
  { chip: 'esp32', ram: 0x3ffb0000, ring: 256, gpio: 0x3ff44000 },
  { chip: 'esp32c3', ram: 0x3fc90000, ring: 2_048, gpio: 0x60004000 },
] as const;

const fill = (ram: number, count: number): TestEntry[] =>
  Array.from({ length: count }, (_, index) => [ram + index * 4, 0xa5000000 + index]);
const readFrame = (address: number) => framed(request(0x0a, words(address), 0));

describe.each(chips)('register commands of an $chip', ({ chip, ram, ring, gpio }) => {
  it('take 511 entries in one list, and drop the 512th with a good answer', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    expect(await rig.write(...fill(ram, 512))).toHaveLength(1);
    expect(await rig.read(ram + 510 * 4)).toBe(0xa5000000 + 510);
    expect(await rig.read(ram + 511 * 4)).toBe(0);
  });

  it('kill the ROM with 513 entries', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    const answers = await rig.write(...fill(ram, 513));
    expect(answers.some((frame) => frame.startsWith('0109'))).toBe(false);
    expect(rig.host.device.state).toBe('crashed');
    expect(await rig.host.sync()).toEqual([]);
  });

  it('die of an address that leads nowhere, the ESP32-C3 with a dump of 4 kB that holds no frame', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    rig.host.terminal.take();
    rig.host.terminal.wired.send(readFrame(0x80000000));
    await rig.host.clock.advance(50);
    const said = rig.host.terminal.take();
    expect(said.includes(0xc0)).toBe(false);
    expect(Math.round(said.length / 1_000)).toBe(chip === 'esp32' ? 0 : 4);
    expect(await rig.host.sync()).toEqual([]);
    await rig.host.enterDownload();
    expect(await rig.host.sync()).toHaveLength(8);
  });

  it('answer a word that is not aligned', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    await rig.write([ram, 0x44332211], [ram + 4, 0x88776655]);
    expect(await rig.read(ram + 2)).toBe(0x66554433);
  });

  it('write back what the mask leaves, do nothing with an empty list, and drop what is less than an entry', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    await rig.write([ram, 0xffffffff], [ram, 0, 0xff00], [ram + 4, 7, 0]);
    expect(await rig.read(ram)).toBe(0xffff00ff);
    expect(await rig.read(ram + 4)).toBe(0);
    expect(await rig.write()).toHaveLength(1);
    const cut = entryData([
      [ram, 1],
      [ram + 4, 2],
    ]).subarray(0, 28);
    expect(await rig.host.ask(0x09, cut)).toEqual(['010904000000000000000000']);
    expect([await rig.read(ram), await rig.read(ram + 4)]).toEqual([1, 0]);
  });

  it('wait longer with a larger number in the variable of the ESP32', async () => {
    const rig = await LabRig.open('esp32', new Breadboard());
    await rig.write([0x3ffe01e0, 40]);
    const list = entryData([[0x3ffb0000, 1, 0xffffffff, 2_500]]);
    expect(await rig.host.ask(0x09, list, 0, 2.4)).toEqual([]);
    await rig.host.clock.advance(0.3);
    expect(rig.host.terminal.take().length).toBeGreaterThan(0);
  });

  it('wait before each entry, and answer after the last one', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    const pin = 5;
    const edges = rig.board.capture(pin);
    await rig.write(
      [gpio + 0x24, 2 ** pin],
      [chip === 'esp32' ? 0x3ff49000 + 0x6c : 0x60009000 + 4 + 4 * pin, chip === 'esp32' ? 0x2a00 : 0x1a00],
    );
    const list = entryData([
      [gpio + 8, 2 ** pin],
      [gpio + 12, 2 ** pin, 0xffffffff, 2_500],
      [gpio + 8, 2 ** pin, 0xffffffff, 500],
    ]);
    // Actual length of a "microsecond" of the genuine ROM, with a crystal of 40 MHz.
    const factor = chip === 'esp32' ? 13 / 40 : 1.02;
    expect(await rig.host.ask(0x09, list, 0, 2.9 * factor)).toEqual([]);
    await rig.host.clock.advance(0.2);
    expect(rig.host.terminal.take().length).toBeGreaterThan(0);
    const times = edges
      .edges()
      .slice(-3)
      .map(({ time }) => time);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeCloseTo(2.5 * factor, 2);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeCloseTo(0.5 * factor, 2);
  });

  it('keep what comes behind a busy command in a ring, and lose all of it when that is lapped', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    const slow = framed(request(0x09, entryData([[ram, 1, 0xffffffff, 10_000]]), 0));
    const behind = (count: number) => joined(slow, ...Array.from({ length: count }, () => readFrame(ram)));
    const fit = Math.floor((ring - 1) / 14);
    expect(await rig.host.raw(behind(fit))).toHaveLength(1 + fit);
    expect(await rig.host.raw(behind(fit + 1))).toHaveLength(1);
    // The ROM still answers. The rest of the ring ends in a delimiter.
    expect(await rig.host.raw(joined(bytesOf('c0'), readFrame(ram)))).toHaveLength(1);
  });

  it('stay as they were when the rate changes', async () => {
    const rig = await LabRig.open(chip, new Breadboard());
    await rig.write([ram, 0x1234], [gpio + 0x24, 0x20]);
    await rig.host.ask(0x0f, words(921_600, 0));
    expect(await rig.read(ram)).toBe(0x1234);
    expect(await rig.read(gpio + 0x20)).toBe(0x20);
  });

  it('reset the chip by bit 31 of its options, into download mode again, with its pins released', async () => {
    const board = new Breadboard();
    const rig = await LabRig.open(chip, board);
    const options = chip === 'esp32' ? 0x3ff48000 : 0x60008000;
    await rig.write(
      [gpio + 8, 0x20],
      [gpio + 0x24, 0x20],
      [chip === 'esp32' ? 0x3ff4906c : 0x60009018, chip === 'esp32' ? 0x2a00 : 0x1a00],
    );
    expect(board.net(5).level(board.now)).toBe(1);
    board.shortToGround(5);
    board.open(5);
    expect(await rig.host.raw(framed(request(0x09, entryData([[options, 2 ** 31, 2 ** 31]]), 0)))).toEqual([]);
    await rig.host.clock.advance(300);
    expect(rig.host.device.state).toBe('download');
    expect(await rig.host.sync()).toHaveLength(8);
    expect(await rig.read(gpio + 0x20)).toBe(0);
  });

  it('never throw and never change the flash, whatever is written where', async () => {
    const area = fc.constantFrom(
      gpio,
      ram,
      chip === 'esp32' ? 0x3ff00000 : 0x600c0000,
      ...(chip === 'esp32'
        ? [
            0x3ff42000, 0x3ff48000, 0x3ff48400, 0x3ff49000, 0x3ff50000, 0x3ff53000, 0x3ff56000, 0x3ff57000, 0x3ff59000,
            0x3ff64000,
          ]
        : [0x60002000, 0x60008000, 0x60009000, 0x60010000, 0x60013000, 0x60019000, 0x60024000, 0x60040000]),
      0,
    );
    const entry = fc.tuple(
      area,
      fc.nat(0x8ff),
      fc.nat(0xffffffff),
      fc.constantFrom(0, 0xff, 0xffffffff),
      fc.constantFrom(0, 0, 0, 1_000),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 40 }), async (entries) => {
        const rig = await LabRig.open(chip, labBreadboard(chip));
        const { flash } = rig.host.device;
        const before = hexOf(flash.read(0, 0x20000));
        flash.resetCounts();
        await rig.write(...entries.map(([base, at, value, mask, delay]) => [base + at, value, mask, delay] as const));
        await rig.read(ram);
        await rig.host.enterDownload();
        expect(await rig.host.sync()).toHaveLength(8);
        expect([flash.erasedBytes, flash.programmedBytes]).toEqual([0, 0]);
        expect(hexOf(flash.read(0, 0x20000)) === before).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
