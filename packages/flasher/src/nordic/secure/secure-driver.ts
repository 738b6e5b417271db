/**
 * Writing by secure DFU: the init packet, then the image in objects, again from where it was after a fault. What the board has
 * executed with an equal CRC is proven.
 */

import { PortError } from '../../port-failure.ts';
import { limited } from '../../time-limit.ts';
import { copyLimit, deadlines, recoveryLimit, vanishLimit } from '../deadlines.ts';
import { Disturbance } from '../disturbance.ts';
import type { NordicInfo } from '../nordic-board.ts';
import type { ImageResult, ImageWork, NordicDriver } from '../nordic-driver.ts';
import { NordicError } from '../nordic-failure.ts';
import type { NordicImage } from '../package/nordic-firmware.ts';
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
  async standing(): Promise<ReadonlyMap<NordicImage, null>> {
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
        const cured = await this.#recover(job, error, work.signal);
        if (!cured) {
          // The board has checked all that it got against its CRC, and then it left without a word.
          this.#left = true;
          return { outcome: 'unverified', proof: null, resumed: job.resumed };
        }
        work.onRepeated();
      }
    }
  }

  async awaitNext(signal: AbortSignal): Promise<void> {
    const { port } = this.#link;
    const limit = limited(port.clock, copyLimit, signal);
    try {
      const gone = await port.vanished(port.link === 'usb' ? vanishLimit : SETTLE, limit.signal);
      if (gone) {
        await port.follow(limit.signal, copyLimit);
      }
      await this.#untilThere(limit.signal);
      this.#facts = await readSecureFacts(this.#link, limit.signal);
      this.#left = false;
    } catch (error) {
      signal.throwIfAborted();
      const isGone = port.bytes.over.aborted;
      throw limit.signal.aborted
        ? new NordicError(isGone ? 'came-back-different' : 'stopped-answering', { cause: error })
        : error;
    } finally {
      limit.cancel();
    }
  }

  /** Aborting makes the bootloader restart, and start the application if it has one; after a write it does so by itself. */
  async restart(signal: AbortSignal): Promise<void> {
    if (!this.#left) {
      // Whether it says so or leaves at once, it has heard.
      await this.#link.request(op.abort, [], { limit: deadlines.probe, signal });
      this.#left = true;
    }
  }

  /** Whether the work can go on; false when it is done as far as anybody can tell. @throws what cannot be cured. */
  async #recover(job: ImageJob, error: unknown, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const isVanished = error instanceof PortError && error.code === 'unplugged';
    if (job.isFinishing && isVanished) {
      return false;
    }
    if (!(error instanceof Disturbance) || !job.mayTryAgain()) {
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
    const limit = limited(this.#link.port.clock, recoveryLimit, signal);
    try {
      return await this.#link.ping(limit.signal, LONGEST_PINGING);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.signal.aborted) {
        return false;
      }
      throw error;
    } finally {
      limit.cancel();
    }
  }

  /** The port may also vanish late. */
  async #untilThere(signal: AbortSignal): Promise<void> {
    try {
      await this.#link.ping(signal, LONGEST_PINGING);
    } catch (error) {
      if (!(error instanceof PortError && error.code === 'unplugged')) {
        throw error;
      }
      await this.#link.port.follow(signal, copyLimit);
      await this.#link.ping(signal, LONGEST_PINGING);
    }
    signal.throwIfAborted();
  }
}
