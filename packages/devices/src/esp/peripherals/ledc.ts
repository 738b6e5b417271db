/**
 * LEDC: timer 0 and channel 0 of the low-speed group. ESP32 Technical Reference Manual, chapter 14 "LED PWM
 * Controller" (sections 14.2.2 "Timers", 14.2.3 "Channels"); ESP32-C3, chapter 32. Fades are not simulated: the duty
 * changes at once.
 */
import type { Level } from '../../breadboard/net.ts';
import type { Signal } from '../../breadboard/wave.ts';
import type { RegisterBlock } from '../memory.ts';
import type { ChipContext } from './context.ts';

export interface LedcLayout {
  readonly signal: number;
  readonly timer: number;
  readonly channel: number;
  readonly config: number;
  /**
   * Fields of the timer's register: mask of the resolution, lowest bit of the divider, and the bits for applying,
   * reset and pause.
   */
  readonly resolutionMask: number;
  readonly dividerShift: number;
  readonly takeOver: number;
  readonly reset: number;
  readonly pause: number;
  /** True if the registers select the APB clock or the crystal, which are the same in download mode. */
  hasClock(config: number, timer: number): boolean;
}

export const esp32Ledc: LedcLayout = {
  signal: 79,
  timer: 0x160,
  channel: 0xa0,
  config: 0x190,
  resolutionMask: 0x1f,
  dividerShift: 5,
  takeOver: 1 << 26,
  reset: 1 << 24,
  pause: 1 << 23,
  hasClock: (config, timer) => (config & 1) === 1 && (timer & (1 << 25)) !== 0,
};

export const esp32c3Ledc: LedcLayout = {
  signal: 45,
  timer: 0xa0,
  channel: 0x00,
  config: 0xd0,
  resolutionMask: 0xf,
  dividerShift: 4,
  takeOver: 1 << 25,
  reset: 1 << 23,
  pause: 1 << 22,
  hasClock: (config) => (config & 3) === 1 || (config & 3) === 3,
};

/** Offsets from a channel's first register. */
const channelReg = { control: 0x0, hpoint: 0x4, duty: 0x8, start: 0xc } as const;
const channelBits = { outputOn: 1 << 2, idleHigh: 1 << 3, takeOver: 1 << 4 } as const;
const dutyStart = 2 ** 31;
/** The divider has eight fractional bits, the duty four. */
const [dividerUnit, dutyUnit] = [256, 16];

interface Running {
  /** Time at which the counter was 0. */
  readonly start: number;
  /** Milliseconds of a round; Infinity: stopped. */
  readonly period: number;
  /** Steps of a round. */
  readonly steps: number;
}

interface Output {
  readonly on: boolean;
  readonly idle: Level;
  readonly hpoint: number;
  readonly duty: number;
}

export class Ledc implements RegisterBlock, Signal {
  readonly #layout: LedcLayout;
  readonly #context: ChipContext;
  readonly #words = new Map<number, number>();
  #timer: Running = { start: 0, period: Infinity, steps: 1 };
  #output: Output = { on: false, idle: 0, hpoint: 0, duty: 0 };

  constructor(layout: LedcLayout, context: ChipContext) {
    this.#layout = layout;
    this.#context = context;
    context.pins.provide(layout.signal, this);
  }

  reset(): void {
    this.#change(() => {
      this.#words.clear();
      this.#timer = { start: 0, period: Infinity, steps: 1 };
      this.#output = { on: false, idle: 0, hpoint: 0, duty: 0 };
    });
  }

  read(offset: number): number {
    return this.#words.get(offset) ?? 0;
  }

  write(offset: number, value: number): void {
    const { timer, channel, takeOver, reset } = this.#layout;
    this.#words.set(offset, value);
    if (offset === timer && (value & (takeOver | reset)) !== 0) {
      this.#change(() => this.#setTimer(value));
    } else if (offset === channel + channelReg.control && (value & channelBits.takeOver) !== 0) {
      this.#change(() => this.#setOutput(value));
    }
  }

  level(time: number): Level {
    const { on, idle, hpoint, duty } = this.#output;
    const { start, period, steps } = this.#timer;
    if (!on) {
      return idle;
    }
    const at = Number.isFinite(period) ? phase(time - start, period) * steps : 0;
    return at >= hpoint - stepTolerance && at < hpoint + duty - stepTolerance ? 1 : 0;
  }

  next(time: number): number {
    const { on, hpoint, duty } = this.#output;
    const { start, period, steps } = this.#timer;
    if (!on || !Number.isFinite(period)) {
      return Infinity;
    }
    const round = Math.floor((time - start) / period);
    const points = [hpoint, Math.min(hpoint + duty, steps)].map((step) => (step / steps) * period);
    for (const turn of [round, round + 1, round + 2]) {
      for (const point of points) {
        const at = start + turn * period + point;
        if (at > time + period * roundTolerance) {
          return at;
        }
      }
    }
    return Infinity;
  }

  period(): number {
    return this.#timer.period;
  }

  #change(apply: () => void): void {
    this.#context.pins.changeSignal(this.#layout.signal, apply);
  }

  #setTimer(word: number): void {
    const { resolutionMask, dividerShift, pause, reset, hasClock, config, takeOver } = this.#layout;
    const before = this.#timer;
    const now = this.#context.memory.now;
    if ((word & takeOver) === 0) {
      this.#timer = { ...before, start: now };
      return;
    }
    const steps = 2 ** (word & resolutionMask);
    const divider = ((word >>> dividerShift) & 0x3ffff) / dividerUnit;
    const stands = (word & (pause | reset)) !== 0 || divider < 1 || !hasClock(this.#words.get(config) ?? 0, word);
    this.#timer = { start: now, steps, period: stands ? Infinity : (steps * divider) / this.#context.crystal };
  }

  #setOutput(word: number): void {
    const { channel } = this.#layout;
    const starts = (this.#words.get(channel + channelReg.start) ?? 0) >= dutyStart;
    const duty = (this.#words.get(channel + channelReg.duty) ?? 0) / dutyUnit;
    this.#output = {
      on: (word & channelBits.outputOn) !== 0,
      idle: (word & channelBits.idleHigh) === 0 ? 0 : 1,
      hpoint: this.#words.get(channel + channelReg.hpoint) ?? 0,
      duty: starts ? duty : this.#output.duty,
    };
  }
}

/** Tolerances for rounding errors: fraction of a step, and fraction of a round. */
const stepTolerance = 1e-3;
const roundTolerance = 1e-7;

/** Returns the position in a round, 0 to 1. */
function phase(since: number, period: number): number {
  const rounds = since / period;
  const at = rounds - Math.floor(rounds + roundTolerance);
  return Math.max(0, at);
}
