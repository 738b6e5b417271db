/**
 * The watchdogs of a chip. After a start from flash the ROM's watchdogs keep running ("Flash Boot Protection" in the
 * Technical Reference Manuals, "Watchdog Timers"). They reset a program that neither disables nor feeds them. In
 * download mode they are off; hosts without control lines then use the RTC's watchdog to restart the chip.
 *
 * Simulated: write protection, the enable bits, feeding, and the update bit without which the timer groups of later
 * chips keep their old configuration. Not simulated: stages and times beyond the first, pauses in sleep, and chips
 * that begin unlocked. A program that works here unlocks first.
 */
import type { EspChip, ResetReason } from './chips/chip.ts';
import type { Memory } from './memory.ts';

interface WatchdogLayout {
  readonly config: number;
  readonly protect: number;
  readonly key: number;
  /** Register that restarts the timeout on any write; null if the watchdog can only feed itself. */
  readonly feed: number | null;
  /** Configuration after a start from flash. */
  readonly start: number;
  /**
   * Register with the timeout in ticks of the RTC's slow clock, used once a program enables the watchdog. Null:
   * `time` always applies.
   */
  readonly timeout: number | null;
  /** Timeout in milliseconds after the start of a program in flash. */
  readonly time: number;
  /** Bit that a new configuration needs to take effect; 0: it always takes effect. */
  readonly update: number;
  runs(config: number): boolean;
  readonly reason: ResetReason;
}

export interface WatchdogSurroundings {
  /** Resets the chip after `delay` milliseconds. The returned function cancels that. */
  restart(delay: number, reason: ResetReason): () => void;
}

const enabled = 2 ** 31;
/** Milliseconds of one tick of the RTC's slow clock: 136 kHz on the ESP32-C3 and its siblings. */
const slowTick = 1 / 136;
const usualKey = 0x50d83aa1;
/**
 * Timeouts in milliseconds. The first watchdog is the one that published logs of an empty flash name, after about the
 * time between their resets. The second timeout is an estimate. Super watchdog: "slightly less than one second"
 * (ESP32-C3 Technical Reference Manual, "Super Watchdog").
 */
const [firstTime, secondTime, superTime] = [400, 650, 990];
/**
 * `TIMG_WDT_FLASHBOOT_MOD_EN`, and `RTC_CNTL_WDT_FLASHBOOT_MOD_EN` of both chips (register summaries of the manuals).
 */
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
        // The highest bit makes it feed itself, the next one disables it.
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

/**
 * Returns the layout of timer group 0. The distances of feeding and write protection to `config` are the same on all
 * chips.
 */
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

/**
 * Maps the registers of a chip's watchdogs. The watchdogs do not run until `Watchdog.arm` or until a program enables
 * them.
 */
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
  /** The last written configuration. `#active` is the one in effect. */
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

  /** Sets the state in which the ROM starts a program from flash. */
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
