/** One image on its way onto a board with secure DFU, over as many attempts as it takes. */

import { maximumTries } from '../../core/retry.ts';
import { crc32 } from '../../images/crc32.ts';
import type { ImageResult, ImageWork } from '../nordic-driver.ts';
import { NordicError } from '../nordic-failure.ts';
import type { NordicImage } from '../package/nordic-firmware.ts';
import { objectType, type Selection } from './messages.ts';
import type { SecureLink } from './secure-link.ts';
import { type SecureStep, SecureTransfer } from './secure-transfer.ts';

/** Receipts after no, one and two faults in a row: a line that loses bytes is asked more often. */
const receiptLadder = [0, 8, 1] as const;

export class ImageJob {
  readonly #transfer: SecureTransfer;
  readonly #image: NordicImage;
  readonly #initPacket: Uint8Array;
  readonly #work: ImageWork;
  #attempts = 0;
  #faults = 0;
  /** Bytes that were executed, at most so far. */
  #reached = 0;
  #isFinishing = false;
  #resumed = 0;

  constructor(link: SecureLink, chunk: number, image: NordicImage, work: ImageWork) {
    if (image.initPacket === null) {
      throw new NordicError('wrong-bootloader');
    }
    this.#transfer = new SecureTransfer(link, chunk, work.signal);
    this.#image = image;
    this.#initPacket = image.initPacket;
    this.#work = work;
  }

  /** Bytes that were there before. */
  get resumed(): number {
    return this.#resumed;
  }

  /** The board has been asked to take the whole image, and has not answered. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  /** False after several faults without anything done between them. */
  mayTryAgain(): boolean {
    return ++this.#faults < maximumTries;
  }

  /** Whether the board still has what it was sent; one that has restarted since has forgotten it. */
  async isStillThere(): Promise<boolean> {
    const { offset } = await this.#transfer.select(objectType.initPacket);
    return offset === this.#initPacket.length;
  }

  async run(): Promise<ImageResult> {
    const { bytes } = this.#image;
    this.#isFinishing = false;
    await this.#transfer.setReceipts(receiptLadder[this.#faults] ?? 1);
    // What the board has may be of something else: the last attempt begins with nothing.
    await this.#transfer.sendInitPacket(this.#initPacket, this.#faults === maximumTries - 1);
    this.#work.onTouched();
    const selection = await this.#transfer.select(objectType.data);
    const offset = await this.#resume(selection);
    if (this.#attempts++ === 0) {
      this.#resumed = offset;
    }
    await this.#transfer.exchange(this.#objects(offset, selection.maximum));
    return {
      outcome: 'verified',
      proof: { kind: 'crc32', value: crc32(bytes).toString(16).padStart(8, '0') },
      resumed: this.#resumed,
    };
  }

  /** Brings what the board has of the image to the end of an object; gives how far that is. */
  async #resume({ offset, crc, maximum }: Selection): Promise<number> {
    const { bytes } = this.#image;
    if (offset === 0 || offset > bytes.length) {
      return 0;
    }
    const partial = offset % maximum;
    if (crc !== crc32(bytes.subarray(0, offset))) {
      // The object at hand is not what it should be: created again, it begins anew where the last good one ended.
      return offset - (partial === 0 ? Math.min(maximum, offset) : partial);
    }
    // Complete, or the rest of an object that was created; to execute one twice does no harm.
    const end = partial === 0 ? offset : Math.min(offset - partial + maximum, bytes.length);
    await this.#transfer.exchange(this.#finishObject(offset, end));
    return end;
  }

  /** All objects from `offset` on, where one begins. */
  *#objects(offset: number, maximum: number): Generator<SecureStep> {
    const { bytes } = this.#image;
    for (let start = offset; start < bytes.length; start += maximum) {
      const end = Math.min(start + maximum, bytes.length);
      yield this.#transfer.create(objectType.data, end - start);
      yield* this.#finishObject(start, end);
    }
  }

  *#finishObject(start: number, end: number): Generator<SecureStep> {
    const isLast = end === this.#image.bytes.length;
    if (start < end) {
      yield* this.#transfer.send(this.#image.bytes, start, end);
    }
    yield {
      ...this.#transfer.execute(isLast),
      begins: () => {
        if (isLast) {
          this.#work.onVerifying();
        }
        this.#isFinishing = isLast;
      },
      answered: () => {
        this.#isFinishing = false;
        if (end > this.#reached) {
          this.#reached = end;
          this.#faults = 0;
        }
        this.#work.onProgress(end);
      },
    };
  }
}
