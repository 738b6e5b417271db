/**
 * The watchdogs of a chip. After a start from flash those of the ROM run on ("Flash Boot Protection" in the Technical Reference Manuals,
 * "Watchdog Timers"): a program that neither switches them off nor feeds them is reset. In download mode they are off, and the RTC's
 * serves hosts without control lines, who have it restart the chip.
 *
 * Modelled: write protection, the bits that switch on and off, feeding, the update bit without which the timer groups of later chips keep
 * their old configuration. Not modelled: other stages and times than the first one's, pauses in sleep, and that some chips
 * begin unlocked: a program that works here unlocks first.
 */
import type { EspChip, ResetReason } from './chips/chip.ts';
import type { Memory } from './memory.ts';

interface WatchdogLayout {
  readonly config: number;
  readonly protect: number;
  readonly key: number;
  /** Any write to it begins the time anew; null where it only feeds itself. */
  readonly feed: number | null;
  /** After a start from flash. */
  readonly start: number;
  /** Its time is in this register, in ticks of the RTC's slow clock, when a program switches it on; null: `time` holds. */
  readonly timeout: number | null;
  /** Milliseconds from the start of a program in flash. */
  readonly time: number;
  /** Bit without which a new configuration is not taken over; 0: it always is. */
  readonly update: number;
  runs(config: number): boolean;
  readonly reason: ResetReason;
}

export interface WatchdogSurroundings {
  /** Resets the chip after so many milliseconds, unless what it returns is called. */
  restart(delay: number, reason: ResetReason): () => void;
}

const enabled = 2 ** 31;
/** Milliseconds of one tick of the RTC's slow clock: 136 kHz on the ESP32-C3 and its siblings. */
const slowTick = 1 / 136;
const usualKey = 0x50d83aa1;
/**
 * What runs out first is what published logs of an empty flash name, at about the time that they give between two resets. The second
 * one is an estimate. Super watchdog: "slightly less than one second" (ESP32-C3 Technical Reference Manual, "Super Watchdog").
 */
const [firstTime, secondTime, superTime] = [400, 650, 990];
/** `TIMG_WDT_FLASHBOOT_MOD_EN`, and `RTC_CNTL_WDT_FLASHBOOT_MOD_EN` of both chips (register summaries of the manuals). */
const groupProtection = 2 ** 14;
const rtcProtection = { esp32: 2 ** 10, esp32c3: 2 ** 12 } as const;

const runsByBits = (protection: number) => (config: number) =>
  config >= enabled || Math.floor(config / protection) % 2 === 1;

const afterFlashBoot: ReadonlyMap<string, readonly WatchdogLayout[]> = new Map([
  [
    'esp32',
    [
      rtcWatchdog(0x3ff4808c, 0x3ff480a4, 0x3ff480a0, rtcProtection.esp32, firstTime),
      groupWatchdog(0x3ff5f048, 0, secondTime, 'group-watchdog'),
    ],
  ],
  [
    'esp32c3',
    [
      groupWatchdog(0x6001f048, 2 ** 22, firstTime, 'watchdog'),
      rtcWatchdog(0x60008090, 0x600080a8, 0x600080a4, rtcProtection.esp32c3, secondTime),
      {
        config: 0x600080ac,
        protect: 0x600080b0,
        key: 0x8f1d312a,
        feed: null,
        start: 0,
        timeout: null,
        time: superTime,
        update: 0,
        // The highest bit has it feed itself, the next one switches it off.
        runs: (config) => config < 2 ** 30,
        reason: 'super-watchdog',
      },
    ],
  ],
]);

function rtcWatchdog(config: number, protect: number, feed: number, protection: number, time: number): WatchdogLayout {
  const timeout = config + 4;
  const runs = runsByBits(protection);
  return {
    config,
    protect,
    key: usualKey,
    feed,
    start: protection,
    timeout,
    time,
    update: 0,
    runs,
    reason: 'rtc-watchdog',
  };
}

/** Of timer group 0: configuration, feeding and write protection are at the same distances on all chips. */
function groupWatchdog(config: number, update: number, time: number, reason: ResetReason): WatchdogLayout {
  return {
    config,
    protect: config + 0x1c,
    key: usualKey,
    feed: config + 0x18,
    start: groupProtection,
    timeout: null,
    time,
    update,
    runs: runsByBits(groupProtection),
    reason,
  };
}

/** Puts the registers of a chip's watchdogs into its memory. They stand still until `armWatchdogs`. */
export function attachWatchdogs(memory: Memory, chip: EspChip, surroundings: WatchdogSurroundings): Watchdog[] {
  const all = (afterFlashBoot.get(chip.name) ?? []).map((layout) => new Watchdog(layout, memory, surroundings));
  const rtc = chip.watchdog;
  if (rtc !== null && !afterFlashBoot.has(chip.name)) {
    const runs = (config: number) => config >= enabled;
    const layout = { ...rtc, feed: null, start: 0, time: 0, update: 0, runs, reason: 'rtc-watchdog' } as const;
    all.push(new Watchdog(layout, memory, surroundings));
  }
  return all;
}

export class Watchdog {
  readonly #layout: WatchdogLayout;
  readonly #memory: Memory;
  readonly #around: WatchdogSurroundings;
  /** The configuration that was taken last, and the one that holds. */
  #word = 0;
  #active = 0;
  #cancel: () => void = () => undefined;

  constructor(layout: WatchdogLayout, memory: Memory, around: WatchdogSurroundings) {
    this.#layout = layout;
    this.#memory = memory;
    this.#around = around;
    memory.attach(layout.config, { write: (value) => this.#configure(value) });
    if (layout.feed !== null) {
      memory.attach(layout.feed, { write: () => this.#feed() });
    }
  }

  /** As the ROM leaves it when it starts a program from flash. */
  arm(): void {
    const { start, config, runs, time } = this.#layout;
    this.#word = start;
    this.#active = start;
    this.#memory.set(config, start);
    if (runs(start)) {
      this.#begin(time);
    }
  }

  get #isOpen(): boolean {
    return this.#memory.read(this.#layout.protect) === this.#layout.key;
  }

  #configure(value: number): void {
    const { config, update, runs } = this.#layout;
    if (!this.#isOpen) {
      this.#memory.set(config, this.#word);
      return;
    }
    this.#word = value;
    if (update !== 0 && Math.floor(value / update) % 2 === 0) {
      return;
    }
    this.#active = value;
    this.#cancel();
    if (runs(value)) {
      this.#begin(this.#duration);
    }
  }

  #feed(): void {
    if (this.#isOpen && this.#layout.runs(this.#active)) {
      this.#begin(this.#duration);
    }
  }

  get #duration(): number {
    const { timeout, time } = this.#layout;
    return timeout !== null && this.#active >= enabled ? (this.#memory.read(timeout) ?? 0) * slowTick : time;
  }

  #begin(duration: number): void {
    this.#cancel();
    this.#cancel = this.#around.restart(duration, this.#layout.reason);
  }
}
