/** NRST and BOOT0 of a part, driven by DTR and RTS through the board's wiring. */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '../wire/device.ts';
import type { StmWiring, StmWiringName } from './options.ts';

const wirings = {
  'dtr-reset': {
    reset: { line: 'dtr', holdsWhen: 'asserted' },
    boot0: { line: 'rts', highWhen: 'asserted' },
  },
  'rts-reset': {
    reset: { line: 'rts', holdsWhen: 'asserted' },
    boot0: { line: 'dtr', highWhen: 'asserted' },
  },
  'dtr-reset-direct': {
    reset: { line: 'dtr', holdsWhen: 'asserted' },
    boot0: { line: 'rts', highWhen: 'released' },
  },
  'rts-reset-direct': {
    reset: { line: 'rts', holdsWhen: 'asserted' },
    boot0: { line: 'dtr', highWhen: 'released' },
  },
  'by-hand': null,
} satisfies Record<StmWiringName, StmWiring | null>;

/** Returns the wiring; null if DTR and RTS have no effect. */
export function wiringOf(wiring: StmWiringName | StmWiring): StmWiring | null {
  return typeof wiring === 'string' ? wirings[wiring] : wiring;
}

export interface ResetPin {
  /** Called when NRST goes low: the part halts. */
  hold(): void;
  /** Called when NRST is high again: the part samples BOOT0. */
  release(): void;
}

export class BootLines {
  readonly #clock: Clock;
  readonly #wiring: StmWiring;
  readonly #pin: ResetPin;
  readonly #riseTime: number;
  #lines: Pick<ControlLines, 'dtr' | 'rts'> = { dtr: false, rts: false };
  /** True while NRST is low or still rising. */
  #held: boolean;
  #cancelRise: (() => void) | null = null;

  constructor(clock: Clock, wiring: StmWiring, pin: ResetPin, riseTime: number) {
    this.#clock = clock;
    this.#wiring = wiring;
    this.#pin = pin;
    this.#riseTime = riseTime;
    this.#held = this.#resetLow;
  }

  get boot0(): boolean {
    const { line, highWhen } = this.#wiring.boot0;
    return this.#lines[line] === (highWhen === 'asserted');
  }

  /** True while the lines hold the part in reset. */
  get held(): boolean {
    return this.#held;
  }

  setLines({ dtr, rts }: ControlLines): void {
    this.#lines = { dtr, rts };
    if (this.#resetLow) {
      this.cancel();
      if (!this.#held) {
        this.#held = true;
        this.#pin.hold();
      }
    } else if (this.#held && this.#cancelRise === null) {
      this.#cancelRise = this.#clock.schedule(this.#riseTime, () => {
        this.#cancelRise = null;
        this.#held = false;
        this.#pin.release();
      });
    }
  }

  /** Cancels a pending rise of NRST. */
  cancel(): void {
    this.#cancelRise?.();
    this.#cancelRise = null;
  }

  get #resetLow(): boolean {
    const { line, holdsWhen } = this.#wiring.reset;
    return this.#lines[line] === (holdsWhen === 'asserted');
  }
}
