/**
 * Writes by secure DFU: the init packet, then the image in objects. After a fault it resumes at the board's offset.
 * Data that the board has executed with an equal CRC counts as verified.
 */

import { isUnplugged } from '../../port-failure.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import { copyLimit, deadlines } from '../deadlines.ts';
import type { NrfInfo } from '../nrf-board.ts';
import type { ImageResult, ImageWork, NrfDriver } from '../nrf-driver.ts';
import type { NrfImage } from '../package/nrf-firmware.ts';
import { TransientError } from '../transient-error.ts';
import { awaitRestart } from '../write/await-restart.ts';
import { ImageJob } from './image-job.ts';
import { op } from './messages.ts';
import { readSecureFacts, type SecureFacts } from './secure-facts.ts';
import type { SecureLink } from './secure-link.ts';

/** Bytes on the wire of the largest object: a page with every byte escaped. */
const LARGEST_OBJECT = 10_000;
/** Number of pings that no time limit allows, so that the limit ends the attempts. */
const LONGEST_PINGING = 1_000;
/**
 * Milliseconds after the last object in which a bootloader stores its settings (two pages) before it restarts. A ping
 * in that time would be misleading.
 */
const SETTLE = 1_000;

export class SecureDriver implements NrfDriver {
  readonly formats = ['secure-package'] as const;
  readonly #link: SecureLink;
  #facts: SecureFacts;
  /** True: the board has left its bootloader, or is about to. */
  #left = false;
  /** True: a write was begun and did not succeed. */
  #isMidway = false;

  constructor(link: SecureLink, facts: SecureFacts) {
    this.#link = link;
    this.#facts = facts;
  }

  get info(): NrfInfo {
    return this.#facts.info;
  }

  /** Returns an empty map, because this bootloader cannot report the hash of its images. */
  async present(): Promise<ReadonlyMap<NrfImage, null>> {
    return new Map();
  }

  async write(image: NrfImage, work: ImageWork): Promise<ImageResult> {
    const job = new ImageJob(this.#link, this.#facts.chunk, image, work);
    if (this.#isMidway) {
      // Data sent before a cancel may still be on its way.
      const late = this.#link.port.bytes.wireTime(LARGEST_OBJECT) / deadlines.probe;
      await this.#link.ping(work.signal, Math.ceil(late) + 5);
    }
    this.#isMidway = true;
    for (;;) {
      try {
        const result = await job.run();
        this.#isMidway = false;
        this.#left = true;
        return result;
      } catch (error) {
        const goesOn = await this.#recover(job, error, work.signal);
        if (!goesOn) {
          // The board has checked everything that it received by CRC, and then left without an answer.
          this.#left = true;
          return { outcome: 'unverified', proof: null, resumed: job.resumed };
        }
        work.onRepeated();
      }
    }
  }

  awaitNext(signal: AbortSignal): Promise<void> {
    return awaitRestart(this.#link.port, SETTLE, signal, async (limit) => {
      await this.#untilThere(limit);
      this.#facts = await readSecureFacts(this.#link, limit);
      this.#left = false;
    });
  }

  /**
   * Aborts, which makes the bootloader restart and start the application if it has one. After a write it restarts by
   * itself.
   */
  async restart(signal: AbortSignal): Promise<void> {
    if (!this.#left) {
      // The answer does not matter: the board may restart before it sends one.
      await this.#link.request(op.abort, [], { limit: deadlines.probe, signal });
      this.#left = true;
    }
  }

  /**
   * Returns true if the work can continue; false if it is probably complete.
   *
   * @throws errors that another try cannot clear.
   */
  async #recover(job: ImageJob, error: unknown, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const isVanished = isUnplugged(error);
    if (job.isFinishing && isVanished) {
      return false;
    }
    if (!(error instanceof TransientError) || !job.mayTryAgain()) {
      throw error;
    }
    if (await this.#isThere(signal)) {
      return !job.isFinishing || (await job.isStillThere());
    }
    if (job.isFinishing) {
      return false;
    }
    throw error;
  }

  async #isThere(signal: AbortSignal): Promise<boolean> {
    const ping = (limit: AbortSignal) => this.#link.ping(limit, LONGEST_PINGING);
    return (await inTime(this.#link.port.clock, recoveryLimit, signal, ping)) ?? false;
  }

  /** Waits for the bootloader. The port may also vanish late. */
  async #untilThere(signal: AbortSignal): Promise<void> {
    try {
      await this.#link.ping(signal, LONGEST_PINGING);
    } catch (error) {
      if (!isUnplugged(error)) {
        throw error;
      }
      await this.#link.port.follow(signal, copyLimit);
      await this.#link.ping(signal, LONGEST_PINGING);
    }
    signal.throwIfAborted();
  }
}
