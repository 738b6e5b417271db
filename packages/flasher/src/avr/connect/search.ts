/**
 * Finds out which bootloader answers. The order matters: optiboot leaves at the first byte that it does not expect
 * (`optiboot.c`, `verifySpace`), so it is asked alone, and given time while it blinks its LED. STK500 v2 ignores the
 * requests of v1.
 */
import type { AvrDriver } from '../avr-driver.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrLink } from '../avr-link.ts';
import { Avr109Driver, askAvr109 } from '../avr109/avr109-driver.ts';
import { deadlines } from '../deadlines.ts';
import { askV1, endOfAccepted, settleV1, V1Driver } from '../stk500v1/v1-driver.ts';
import { askV2, findSignOn, V2Driver } from '../stk500v2/v2-driver.ts';

/** Requests of STK500 v1 after the first one, at any rate but the usual one. ATmegaBOOT blinks for up to 600 ms. */
const LATE_TRIES = 4;
const TRIES = 2;

export class Search {
  readonly #link: AvrLink;
  readonly #signal: AbortSignal;
  #heard = 0;

  constructor(link: AvrLink, signal: AbortSignal) {
    this.#link = link;
    this.#signal = signal;
  }

  /**
   * Bytes and line errors that were received during one search and that no bootloader sent: the most of all searches
   * that found nothing. A search takes up to a second.
   */
  get heard(): number {
    return this.#heard;
  }

  /** Asks a board that may be in its bootloader already. Opening the port may have reset it just now. */
  askBriefly(protocols: readonly ('stk500v1' | 'stk500v2')[]): Promise<AvrDriver | null> {
    return this.#counting(async () => {
      for (const protocol of protocols) {
        const found = await (protocol === 'stk500v1' ? this.#v1(deadlines.sync, false) : this.#v2(deadlines.sync));
        if (found !== null) {
          return found;
        }
      }
      return null;
    });
  }

  /**
   * Asks after a reset.
   *
   * @param isMega True: STK500 v2 only.
   * @param isOld True: STK500 v1 only, for longer.
   */
  askAfterReset(isMega: boolean, isOld: boolean): Promise<AvrDriver | null> {
    return this.#counting(async () => {
      if (!isMega) {
        for (let attempt = 0; attempt < (isOld ? LATE_TRIES : TRIES); attempt++) {
          const limit = attempt === 0 ? deadlines.firstSync : deadlines.sync;
          const found = await this.#v1(limit, attempt > 0);
          if (found !== null) {
            return found;
          }
        }
      }
      for (let attempt = 0; attempt < TRIES && !isOld; attempt++) {
        const found = await this.#v2(deadlines.signOn);
        if (found !== null) {
          return found;
        }
      }
      return null;
    });
  }

  /** Asks once, while a person may press reset at any time. */
  askOnce(protocol: 'stk500v1' | 'stk500v2'): Promise<AvrDriver | null> {
    return this.#counting(() =>
      protocol === 'stk500v1' ? this.#v1(deadlines.sync, true) : this.#v2(deadlines.signOn),
    );
  }

  /** Asks a bootloader on the chip's own USB. */
  askUsb(): Promise<AvrDriver | null> {
    return this.#counting(async () => {
      for (let attempt = 0; attempt < TRIES; attempt++) {
        this.#drop();
        const name = await askAvr109(this.#link, deadlines.signOn, this.#signal);
        if (name !== null) {
          return new Avr109Driver(this.#link, name);
        }
      }
      return null;
    });
  }

  /** @param isRepeated True: the bootloader may have received earlier requests, or parts of them. */
  async #v1(limit: number, isRepeated: boolean): Promise<AvrDriver | null> {
    const link = this.#link;
    this.#drop();
    if (!(await askV1(link, limit, this.#signal))) {
      return null;
    }
    await link.quiet(this.#signal);
    if (isRepeated && !(await settleV1(link, this.#signal))) {
      return null;
    }
    // The answer is two bytes that a program may send by chance. The second one must be exact.
    const driver = new V1Driver(link);
    try {
      await driver.keepAwake(this.#signal);
      return driver;
    } catch (error) {
      if (error instanceof AvrError) {
        return null;
      }
      throw error;
    }
  }

  async #v2(limit: number): Promise<AvrDriver | null> {
    this.#drop();
    const name = await askV2(this.#link, limit, this.#signal);
    if (name === null) {
      return null;
    }
    await this.#link.quiet(this.#signal);
    return new V2Driver(this.#link, name);
  }

  /** Counts what was received if nothing was found. */
  async #counting(ask: () => Promise<AvrDriver | null>): Promise<AvrDriver | null> {
    this.#drop();
    const countNow = () => this.#link.received + this.#link.port.lineErrors;
    const before = countNow();
    const found = await ask();
    if (found === null) {
      this.#drop();
      this.#heard = Math.max(this.#heard, countNow() - before);
    }
    return found;
  }

  /** Drops what has arrived. A bootloader's answer among it came too late: those that follow are given more time. */
  #drop(): void {
    const dropped = this.#link.dropReceived();
    if (endOfAccepted(dropped) !== null || findSignOn(dropped) !== null) {
      this.#link.allowSlowAnswers();
    }
  }
}
