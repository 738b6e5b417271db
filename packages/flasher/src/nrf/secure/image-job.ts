/** Writes one image with secure DFU, over several attempts if needed. */

import { maximumTries } from '../../core/retry.ts';
import { crc32 } from '../../images/crc32.ts';
import type { ImageResult, ImageWork } from '../nrf-driver.ts';
import { NrfError } from '../nrf-failure.ts';
import type { NrfImage } from '../package/nrf-firmware.ts';
import { objectType, type Selection } from './messages.ts';
import type { SecureLink } from './secure-link.ts';
import { type SecureStep, SecureTransfer } from './secure-transfer.ts';

/** Write requests per receipt after no, one and two faults in a row. A line that loses bytes is checked more often. */
const receiptLadder = [0, 8, 1] as const;

export class ImageJob {
  readonly #transfer: SecureTransfer;
  readonly #image: NrfImage;
  readonly #initPacket: Uint8Array;
  readonly #work: ImageWork;
  #attempts = 0;
  #faults = 0;
  /** Highest number of executed bytes so far. */
  #reached = 0;
  #isFinishing = false;
  #resumed = 0;

  constructor(link: SecureLink, chunk: number, image: NrfImage, work: ImageWork) {
    if (image.initPacket === null) {
      throw new NrfError('wrong-bootloader');
    }
    this.#transfer = new SecureTransfer(link, chunk, work.signal);
    this.#image = image;
    this.#initPacket = image.initPacket;
    this.#work = work;
  }

  /** Bytes that the board already had. */
  get resumed(): number {
    return this.#resumed;
  }

  /** True: the board was asked to execute the whole image and has not answered. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  /** Returns false after several faults without progress between them. */
  mayTryAgain(): boolean {
    return ++this.#faults < maximumTries;
  }

  /** Returns true if the board still has the init packet. A board that has restarted has lost it. */
  async isStillThere(): Promise<boolean> {
    const { offset } = await this.#transfer.select(objectType.initPacket);
    return offset === this.#initPacket.length;
  }

  async run(): Promise<ImageResult> {
    const { bytes } = this.#image;
    this.#isFinishing = false;
    await this.#transfer.setReceipts(receiptLadder[this.#faults] ?? 1);
    // The board's data may be of another image, so the last attempt starts from the beginning.
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

  /** Completes the object that the board has begun. Returns the offset after it. */
  async #resume({ offset, crc, maximum }: Selection): Promise<number> {
    const { bytes } = this.#image;
    if (offset === 0 || offset > bytes.length) {
      return 0;
    }
    const partial = offset % maximum;
    if (crc !== crc32(bytes.subarray(0, offset))) {
      // The current object is wrong. Creating it again restarts it at the end of the previous object.
      return offset - (partial === 0 ? Math.min(maximum, offset) : partial);
    }
    // The object is complete or partly sent. Executing it twice does no harm.
    const end = partial === 0 ? offset : Math.min(offset - partial + maximum, bytes.length);
    await this.#transfer.exchange(this.#finishObject(offset, end));
    return end;
  }

  /** Sends all objects from `offset` on, at which one begins. */
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
