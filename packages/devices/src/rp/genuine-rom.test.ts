/**
 * The simulated RP2040 beside the genuine ROM in an emulator, in random sessions. Runs if `RP2040_BOOTROM` names the
 * ROM's file.
 */
import { VirtualClock } from '@wirebench/clock';
import { isLong, random, randomSeeds } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { RpChip } from './chip/rp-chip.ts';
import type { Setup } from './rom/boot-device.ts';
import { pattern } from './testing/pattern.ts';
import { Picotool } from './testing/picotool.ts';
import { GenuineRom } from './testing/rom/genuine-rom.ts';
import { genuineUsbDevice } from './testing/rom/genuine-usb.ts';
import { codePlace, randomSession, returningCode } from './testing/rom/random-session.ts';
import { runSession, type TimedRom } from './testing/rom/session-host.ts';
import { bootRomWords } from './testing/rom/words.ts';

const words = bootRomWords();
const flashSize = 2 * 1024 * 1024;
const times = { erase: 0.1, program: 0.02 };
const content = words === null ? new Uint8Array() : pattern(61_861, flashSize);
const ramStart = 0x2000_0000;
const ram = pattern(5, words === null ? 0x4000 : 0x4_2000);
ram.set(returningCode, codePlace - ramStart);
const start: readonly Setup[] = [
  { type: 0, request: 5, value: 9, index: 0, length: 0 },
  { type: 0, request: 9, value: 1, index: 0, length: 0 },
];

interface Observed {
  readonly lines: readonly string[];
  readonly flash: Uint8Array;
  readonly counts: readonly number[];
}

async function begin(rom: TimedRom): Promise<void> {
  await rom.advance(6);
  for (const setup of start) {
    await rom.control(setup);
  }
}

async function genuine(seed: number): Promise<Observed> {
  const rom = new GenuineRom({ words: words ?? new Uint32Array(), content, times });
  const timed: TimedRom = {
    advance: async (duration) => rom.advance(duration),
    out: (endpoint, data, toggle) => rom.out(endpoint, data, toggle),
    in: (endpoint) => rom.in(endpoint),
    control: async (setup) => rom.control(setup),
    busReset: async () => rom.busReset(),
  };
  await begin(timed);
  rom.writeRam(0, ram);
  const lines = await runSession(timed, randomSession(random(seed)));
  return { lines, flash: rom.flash, counts: [rom.restarts, rom.toggleErrors] };
}

async function simulated(seed: number): Promise<Observed> {
  const clock = new VirtualClock();
  const chip = new RpChip({
    clock,
    flashSize,
    flashTimes: times,
    // The emulator's processor is slower than the bus of the flash.
    romTimes: { byte: 0.000_68, exitXip: 0.28, clearMaps: 0.15 },
    bootTimes: { start: 0.1, attempts: 64 },
    rom: new Uint8Array((words ?? new Uint32Array()).slice().buffer),
  });
  chip.flash.preload(0, content);
  chip.holdBootsel(true);
  chip.powerOn();
  const timed: TimedRom = {
    advance: (duration) => clock.advance(duration),
    out: (endpoint, data, toggle) => chip.rom?.device.out(endpoint, data, toggle) ?? 'nak',
    in: (endpoint) => chip.rom?.device.in(endpoint) ?? 'nak',
    control: async (setup) => {
      const answer = chip.rom?.device.control(setup) ?? 'nak';
      await clock.advance(0.1);
      return answer;
    },
    busReset: async () => {
      chip.rom?.device.busReset();
      await clock.advance(3);
    },
  };
  await begin(timed);
  chip.memories.write(ramStart, ram);
  const lines = await runSession(timed, randomSession(random(seed)));
  return {
    lines,
    flash: chip.content.read(0, flashSize),
    counts: [chip.restarts, chip.rom?.device.toggleErrors ?? 0],
  };
}

describe.skipIf(words === null)('the genuine ROM of an RP2040', () => {
  it('answers random sessions as the simulated one does', { timeout: 600_000 }, async () => {
    for (const seed of randomSeeds(isLong ? 1_000 : 20)) {
      const [left, right] = [await genuine(seed), await simulated(seed)];
      expect({ seed, lines: right.lines, counts: right.counts }).toEqual({
        seed,
        lines: left.lines,
        counts: left.counts,
      });
      expect(Buffer.compare(left.flash, right.flash)).toBe(0);
    }
  });

  it('is erased, written and read through WebUSB', async () => {
    const clock = new VirtualClock();
    const rom = new GenuineRom({ words: words ?? new Uint32Array(), content, times });
    const device = await genuineUsbDevice(rom, clock);
    const tool = await Picotool.open(device, clock);
    const data = pattern(9, 5_000);
    await tool.run(tool.exitXip());
    await tool.run(tool.erase(0x1000_0000, 8_192));
    await tool.run(tool.write(0x1000_0000, data));
    expect(await tool.run(tool.read(0x1000_0000, data.length))).toEqual(data);
    expect(rom.flash.slice(0, data.length)).toEqual(data);
  });
});
