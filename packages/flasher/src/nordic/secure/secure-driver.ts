/**
 * Writing by secure DFU: the init packet, then the image in objects, again from where it was after a fault. What the board has
 * executed with an equal CRC is proven.
 */

import { isUnplugged } from '../../port-failure.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import { copyLimit, deadlines } from '../deadlines.ts';
import type { NordicInfo } from '../nordic-board.ts';
import type { ImageResult, ImageWork, NordicDriver } from '../nordic-driver.ts';
import type { NordicImage } from '../package/nordic-firmware.ts';
import { TransientError } from '../transient-error.ts';
import { awaitRestart } from '../write/await-restart.ts';
import { ImageJob } from './image-job.ts';
import { op } from './messages.ts';
import { readSecureFacts, type SecureFacts } from './secure-facts.ts';
import type { SecureLink } from './secure-link.ts';

/** A page, with all its bytes escaped. */
const LARGEST_OBJECT = 10_000;
/** More than any limit in time lets through. */
const LONGEST_PINGING = 1_000;
/** After its last object a bootloader stores its settings, two pages, before it restarts: until then a ping would be answered in vain. */
const SETTLE = 1_000;

export class SecureDriver implements NordicDriver {
  readonly formats = ['secure-package'] as const;
  readonly #link: SecureLink;
  #facts: SecureFacts;
  /** Whether the board has left by itself, or will. */
  #left = false;
  /** A write was begun and did not end well. */
  #isMidway = false;

  constructor(link: SecureLink, facts: SecureFacts) {
    this.#link = link;
    this.#facts = facts;
  }

  get info(): NordicInfo {
    return this.#facts.info;
  }

  /** Nobody can ask this bootloader for the hash of what it has. */
  async present(): Promise<ReadonlyMap<NordicImage, null>> {
    return new Map();
  }

  async write(image: NordicImage, work: ImageWork): Promise<ImageResult> {
    const job = new ImageJob(this.#link, this.#facts.chunk, image, work);
    if (this.#isMidway) {
      // What was sent before a cancel may still be on its way.
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
          // The board has checked all that it got against its CRC, and then it left without a word.
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

  /** Aborting makes the bootloader restart, and start the application if it has one; after a write it does so by itself. */
  async restart(signal: AbortSignal): Promise<void> {
    if (!this.#left) {
      // Whether it says so or leaves at once, it has heard.
      await this.#link.request(op.abort, [], { limit: deadlines.probe, signal });
      this.#left = true;
    }
  }

  /** Whether the work can go on; false when it is done as far as anybody can tell. @throws what another try cannot clear. */
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

  /** The port may also vanish late. */
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
