import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { TimerGroup } from '../wire/timer-group.ts';
import type { ResetReason } from './chips/chip.ts';
import { espChips } from './chips/index.ts';
import { Memory } from './memory.ts';
import { attachWatchdogs } from './watchdogs.ts';

const key = 0x50d83aa1;
const rtc = {
  esp32: { config: 0x3ff4808c, protect: 0x3ff480a4, feed: 0x3ff480a0 },
  esp32c3: { config: 0x60008090, protect: 0x600080a8, feed: 0x600080a4 },
};
const group = {
  esp32: { config: 0x3ff5f048, protect: 0x3ff5f064, feed: 0x3ff5f060 },
  esp32c3: { config: 0x6001f048, protect: 0x6001f064, feed: 0x6001f060 },
};
const update = 2 ** 22;

function armed(chip: 'esp32' | 'esp32c3') {
  const clock = new VirtualClock(0);
  const timers = new TimerGroup(clock);
  const memory = new Memory(espChips[chip], new Map());
  const resets: { readonly reason: ResetReason; readonly at: number }[] = [];
  const restart = (delay: number, reason: ResetReason) =>
    timers.after(delay, () => resets.push({ reason, at: clock.now() }));
  for (const watchdog of attachWatchdogs(memory, espChips[chip], { restart })) {
    watchdog.arm();
  }
  const write = ({ config, protect }: { config: number; protect: number }, value: number) => {
    memory.write(protect, key);
    memory.write(config, value);
    memory.write(protect, 0);
  };
  const feed = ({ feed: address, protect }: { feed: number; protect: number }) => {
    memory.write(protect, key);
    memory.write(address, 0x80000000);
    memory.write(protect, 0);
  };
  const reasons = () => resets.map(({ reason }) => reason);
  return { clock, memory, resets, reasons, write, feed };
}

describe('the watchdogs after a start from flash', () => {
  it('bite one after the other when no program feeds them', async () => {
    const esp32 = armed('esp32');
    await esp32.clock.advance(5_000);
    expect(esp32.reasons()).toEqual(['rtc-watchdog', 'group-watchdog']);
    const c3 = armed('esp32c3');
    await c3.clock.advance(5_000);
    expect(c3.reasons()).toEqual(['watchdog', 'rtc-watchdog', 'super-watchdog']);
  });

  it('stay on while the write protection is set, and the register keeps its word', async () => {
    const { clock, memory, reasons } = armed('esp32');
    memory.write(rtc.esp32.config, 0);
    expect(memory.read(rtc.esp32.config)).toBe(1 << 10);
    await clock.advance(450);
    expect(reasons()).toEqual(['rtc-watchdog']);
  });

  it('go off one by one: a program that forgets one is reset by it', async () => {
    const { clock, reasons, write } = armed('esp32');
    write(rtc.esp32, 0);
    await clock.advance(5_000);
    expect(reasons()).toEqual(['group-watchdog']);
  });

  it('ignore settings of the timer group of an ESP32-C3 without its update bit', async () => {
    const without = armed('esp32c3');
    without.write(group.esp32c3, 0);
    await without.clock.advance(450);
    expect(without.reasons()).toEqual(['watchdog']);
    const with_ = armed('esp32c3');
    with_.write(group.esp32c3, update);
    await with_.clock.advance(450);
    expect(with_.reasons()).toEqual([]);
  });

  it('wait as long again when they are fed, and not when they are locked', async () => {
    const { clock, memory, resets, write, feed } = armed('esp32');
    write(group.esp32, 0);
    for (let turn = 0; turn < 10; turn++) {
      await clock.advance(300);
      feed(rtc.esp32);
    }
    expect(resets).toEqual([]);
    memory.write(rtc.esp32.feed, 0x80000000);
    await clock.advance(399);
    expect(resets).toEqual([]);
    await clock.advance(2);
    expect(resets).toMatchObject([{ reason: 'rtc-watchdog' }]);
  });

  it('spare the chip if the super watchdog is set to feed itself', async () => {
    const { clock, memory, reasons, write } = armed('esp32c3');
    write(group.esp32c3, update);
    write(rtc.esp32c3, 0);
    memory.write(0x600080b0, 0x8f1d312a);
    memory.write(0x600080ac, 2 ** 31);
    await clock.advance(5_000);
    expect(reasons()).toEqual([]);
  });

  it('restart the chip after the time that a host sets in the RTC', async () => {
    const { clock, memory, resets, write } = armed('esp32c3');
    write(group.esp32c3, update);
    memory.write(rtc.esp32c3.config + 4, 2_000);
    write(rtc.esp32c3, 0xd0000102);
    await clock.advance(100);
    expect(resets).toMatchObject([{ reason: 'rtc-watchdog', at: 2_000 / 136 }]);
  });
});
