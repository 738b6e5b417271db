/**
 * Writes with MCUboot's serial recovery, or any other SMP server: uploads the image and finds its hash in the list of
 * valid images. The bootloader has checked its signature then. An image in the second slot is marked for starting.
 */

import type { RegionProof } from '../../core/board.ts';
import { isUsableSize, reportedSizeText } from '../../core/reported-size.ts';
import { maximumTries, retry } from '../../core/retry.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import { deadlines } from '../deadlines.ts';
import type { NordicInfo } from '../nordic-board.ts';
import type { ImageResult, ImageWork, NordicDriver } from '../nordic-driver.ts';
import { NordicError } from '../nordic-failure.ts';
import type { NordicImage } from '../package/nordic-firmware.ts';
import { TransientError } from '../transient-error.ts';
import type { CborMap, CborValue } from './cbor.ts';
import { describeSlots, type McubootSlot, readRooms, readSlots, type SlotRoom } from './image-slots.ts';
import { numberIn, passingErrors, resultOf, type SmpAnswer, type SmpCommand, smpCommand, smpError } from './smp.ts';
import type { SmpLink } from './smp-link.ts';
import { Upload } from './upload.ts';

/**
 * Buffer of servers that do not report it; every build of MCUboot has at least this
 * (`MCUBOOT_SERIAL_MAX_RECEIVE_SIZE`).
 */
const usualBuffer = { size: 512, count: 1 };
/** Bytes of length and CRC of "SMP over console", which occupy the same buffer. */
const CONSOLE_OVERHEAD = 4;
/** Smallest packet: the first chunk of an upload with its names, its hash and 32 bytes of the image has up to 111 bytes. */
const MIN_PACKET = 128;
/** Largest buffer that is used, in bytes. Larger packets are no faster. */
const LARGEST_BUFFER = 8_192;
const MAX_UNDER_WAY = 4;
const LONGEST_PINGING = 1_000;
const nothing: CborMap = new Map();

export class McubootDriver implements NordicDriver {
  readonly formats = ['mcuboot-image', 'mcuboot-package'] as const;
  readonly #link: SmpLink;
  #slots: readonly McubootSlot[] = [];
  #rooms: readonly SlotRoom[] = [];
  #buffer = usualBuffer;

  private constructor(link: SmpLink) {
    this.#link = link;
  }

  /**
   * Reads the board's information and creates its driver.
   *
   * @throws NordicError `stopped-answering` or `size-unusable`; PortError.
   */
  static async of(link: SmpLink, signal: AbortSignal): Promise<McubootDriver> {
    const driver = new McubootDriver(link);
    const parameters = await driver.#ask(smpCommand.parameters, nothing, deadlines.request, signal);
    if (resultOf(parameters) === 0) {
      driver.#buffer = {
        size: Math.min(numberIn(parameters.data, 'buf_size') ?? usualBuffer.size, LARGEST_BUFFER),
        count: numberIn(parameters.data, 'buf_count') ?? usualBuffer.count,
      };
    }
    if (!isUsableSize(driver.#buffer.size - CONSOLE_OVERHEAD, MIN_PACKET)) {
      throw new NordicError('size-unusable', { detail: reportedSizeText('buf_size', driver.#buffer.size) });
    }
    const info = await driver.#ask(smpCommand.slotInfo, nothing, deadlines.request, signal);
    driver.#rooms = resultOf(info) === 0 ? readRooms(info) : [];
    await driver.#look(signal);
    return driver;
  }

  get info(): NordicInfo {
    return {
      bootloader: 'mcuboot',
      link: this.#link.port.link,
      part: null,
      flashSize: null,
      ramSize: null,
      slots: describeSlots(this.#slots),
      room: this.#rooms.find(({ imageNumber }) => imageNumber === 0)?.room ?? null,
      canTest: this.#slots.some(({ state }) => state.length > 0),
      unfinished: null,
    };
  }

  async present(
    images: readonly NordicImage[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<NordicImage, RegionProof | null>> {
    await this.#look(signal);
    return new Map(
      images.flatMap((image) => {
        const found = this.#find(image);
        return found?.slot === 0 ? [[image, proofOf(found)]] : [];
      }),
    );
  }

  async write(image: NordicImage, work: ImageWork): Promise<ImageResult> {
    const isThere = this.#find(image) !== undefined;
    if (!isThere) {
      work.onTouched();
      await this.#upload(image, work);
    }
    work.onVerifying();
    await this.#look(work.signal);
    const found = this.#find(image);
    const resumed = isThere ? image.bytes.length : 0;
    if (found === undefined) {
      // A build without hashes cannot prove anything; all others list the images that they accept.
      if (this.#slots.some(({ hash }) => hash === null)) {
        return { outcome: 'unverified', proof: null, resumed };
      }
      throw new NordicError('image-not-accepted', { detail: `Not in the list of valid images: ${image.hash}.` });
    }
    if (found.slot > 0 && !found.state.includes('pending')) {
      work.onTouched();
      await this.#activate(found, work);
    }
    return { outcome: 'verified', proof: proofOf(found), resumed };
  }

  /** Resolves at once, because this bootloader restarts only on request. */
  awaitNext(): Promise<void> {
    return Promise.resolve();
  }

  async restart(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#link.request(smpCommand.reset, nothing, deadlines.request, signal);
      const result = answer === null ? null : resultOf(answer);
      // Without an answer, a board that no longer responds has restarted. Otherwise the request was lost.
      if (result === 0 || (result === null && (attempt === maximumTries || !(await this.#isThere(signal))))) {
        return;
      }
      if (result !== null && (attempt === maximumTries || !passingErrors.has(result))) {
        throw new NordicError('cannot-restart', { detail: `Result ${result}.` });
      }
    }
  }

  async #upload({ bytes, imageNumber }: NordicImage, work: ImageWork): Promise<void> {
    const slot = this.#rooms.find((room) => room.imageNumber === imageNumber);
    const number = slot?.uploadNumber ?? imageNumber;
    const { size, count } = this.#buffer;
    const plan = {
      bytes,
      number: imageNumber === 0 ? 0 : number,
      slot: slot?.room ?? null,
      packet: size - CONSOLE_OVERHEAD,
      window: Math.min(Math.max(1, count - 1), MAX_UNDER_WAY),
    };
    const upload = await Upload.of(this.#link, plan, work.onProgress);
    await retry(() => upload.run(work.signal), {
      failureOf: (error) => error,
      isTransient: (error) => error instanceof TransientError,
      recover: async (error) => {
        if (!(await this.#isThere(work.signal))) {
          throw error;
        }
        work.onRepeated();
      },
      progress: () => upload.done,
    });
  }

  async #activate(found: McubootSlot, work: ImageWork): Promise<void> {
    const data = new Map<string, CborValue>([
      ['hash', found.hashBytes],
      ['confirm', work.activate === 'confirm'],
    ]);
    const answer = await this.#ask(smpCommand.setImageState, data, deadlines.imageState, work.signal);
    if (resultOf(answer) !== 0) {
      throw new NordicError('cannot-activate', { detail: `Result ${resultOf(answer)}.` });
    }
    this.#slots = readSlots(answer);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const answer = await this.#ask(smpCommand.imageState, nothing, deadlines.imageState, signal);
    const result = resultOf(answer);
    if (result !== 0 && result !== smpError.notSupported) {
      throw new NordicError('read-failed', { detail: `The list of images was refused with result ${result}.` });
    }
    this.#slots = readSlots(answer);
  }

  #find({ hash, imageNumber }: NordicImage): McubootSlot | undefined {
    return this.#slots.find((slot) => hash !== null && slot.hash === hash && slot.imageNumber === imageNumber);
  }

  /** Sends a request, and again after silence. Only for requests that can be repeated. */
  async #ask(command: SmpCommand, data: CborMap, limit: number, signal: AbortSignal): Promise<SmpAnswer> {
    for (let attempt = 0; attempt < maximumTries; attempt++) {
      const answer = await this.#link.request(command, data, limit, signal);
      if (answer !== null && (attempt === maximumTries - 1 || !passingErrors.has(resultOf(answer)))) {
        return answer;
      }
      if (answer === null && !(await this.#isThere(signal))) {
        break;
      }
    }
    throw new NordicError('stopped-answering', {
      detail: `No answer to command ${command.id} of group ${command.group}.`,
    });
  }

  async #isThere(signal: AbortSignal): Promise<boolean> {
    const ping = (limit: AbortSignal) => this.#link.ping(limit, LONGEST_PINGING, deadlines.probe);
    return (await inTime(this.#link.port.clock, recoveryLimit, signal, ping)) ?? false;
  }
}

/** Returns the proof. The number of hexadecimal digits gives the kind of hash. */
function proofOf({ hash }: McubootSlot): RegionProof | null {
  if (hash === null) {
    return null;
  }
  return { kind: hash.length === 64 ? 'sha256' : hash.length === 96 ? 'sha384' : 'sha512', value: hash };
}
