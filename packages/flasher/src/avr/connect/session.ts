/** A bootloader that answers, and the ways to get it to answer again. */
import type { Clock } from '@wirebench/clock';
import { playLines } from '../../byte-port.ts';
import type { AvrDriver } from '../avr-driver.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrLink } from '../avr-link.ts';
import { RESET_PULSE, RESET_START } from '../deadlines.ts';
import { Search } from './search.ts';

/** Resets of one recovery, and the number of those after which each answer is given more time. */
const RESETS = 4;
const QUICK_RESETS = 2;

export interface SessionOptions {
  readonly clock: Clock;
  readonly link: AvrLink;
  readonly driver: AvrDriver;
  /** True: DTR and RTS may reset the board. */
  readonly canReset: boolean;
  /** True: the bootloader was reset and has written nothing since. */
  readonly isFresh: boolean;
}

export class Session {
  readonly clock: Clock;
  readonly link: AvrLink;
  readonly driver: AvrDriver;
  readonly #canReset: boolean;
  #isFresh: boolean;

  constructor({ clock, link, driver, canReset, isFresh }: SessionOptions) {
    this.clock = clock;
    this.link = link;
    this.driver = driver;
    this.#canReset = canReset;
    this.#isFresh = isFresh;
  }

  get over(): AbortSignal {
    return this.link.port.over;
  }

  get sent(): number {
    return this.link.sent;
  }

  /** Prepares for writing pages. */
  async beginWrite(signal: AbortSignal): Promise<void> {
    const isFresh = this.#isFresh;
    this.#isFresh = false;
    await this.driver.beginWrite(isFresh, signal);
  }

  /**
   * Gets the bootloader to answer again: by a reset where the lines do that, else by filling up its last request. From
   * then on its answers are given more time: the one that was missed may have come too late.
   *
   * @throws AvrError `stopped-answering`.
   * @throws PortError, or the reason of the signal.
   */
  async recover(signal: AbortSignal): Promise<void> {
    for (let resets = 0; this.#canReset && resets < RESETS; resets++) {
      if (resets === QUICK_RESETS) {
        this.link.allowSlowAnswers();
      }
      await resetBoard(this.clock, this.link, signal);
      const { protocol } = this.driver;
      const found = await new Search(this.link, signal).askAfterReset(protocol === 'stk500v2', protocol === 'stk500v1');
      if (found?.protocol === protocol && (await this.driver.resync(signal))) {
        this.#isFresh = true;
        this.link.allowSlowAnswers();
        return;
      }
    }
    if (!(await this.driver.resync(signal))) {
      throw new AvrError('stopped-answering');
    }
    this.link.allowSlowAnswers();
  }
}

/** Pulses DTR and RTS, which boards with a capacitor at their reset pin take as a reset, and waits for the bootloader. */
export async function resetBoard(clock: Clock, link: AvrLink, signal: AbortSignal): Promise<void> {
  const held = { dtr: true, rts: true };
  const steps = [
    [false, false, RESET_PULSE],
    [true, true, RESET_START],
  ] as const;
  await playLines(clock, link.port, steps, signal, held);
  link.dropReceived();
}
