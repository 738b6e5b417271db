/**
 * Writes with MCUboot's serial recovery, or any other SMP server: uploads the image and finds its hash in the list of
 * valid images. The bootloader has checked its signature then. An image in the second slot is marked for starting.
 */

import type { RegionProof } from '../../core/board.ts';
import { hexOf } from '../../core/bytes.ts';
import { isUsableSize, reportedSizeText } from '../../core/reported-size.ts';
import { maximumTries, retry } from '../../core/retry.ts';
import { inTime, recoveryLimit } from '../../time-limit.ts';
import { deadlines } from '../deadlines.ts';
import type { NrfInfo, NrfSlot } from '../nrf-board.ts';
import type { ImageResult, ImageWork, NrfDriver } from '../nrf-driver.ts';
import { NrfError } from '../nrf-failure.ts';
import type { NrfImage } from '../package/nrf-firmware.ts';
import { TransientError } from '../transient-error.ts';
import type { CborMap, CborValue } from './cbor.ts';
import {
  bytesIn,
  mapsIn,
  numberIn,
  passingErrors,
  resultOf,
  type SmpAnswer,
  type SmpCommand,
  smpCommand,
  smpError,
  textIn,
} from './smp.ts';
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

/** Reads the images on a board with MCUboot from its image state and slot info. */

/** Flags of an image ("State of images"). */
const flags = ['active', 'confirmed', 'pending', 'permanent'] as const;

interface McubootSlot {
  readonly imageNumber: number;
  /** 0 is the slot that starts. */
  readonly slot: number;
  readonly version: string;
  /** Lower-case hexadecimal; null if the bootloader was built without hashes. */
  readonly hash: string | null;
  /** The same hash as bytes; empty without one. */
  readonly hashBytes: Uint8Array;
  readonly state: readonly string[];
}

/** Reads the list of images, which contains valid ones only. */
function readSlots({ data }: SmpAnswer): McubootSlot[] {
  return mapsIn(data, 'images').map((entry) => {
    const hash = bytesIn(entry, 'hash');
    return {
      imageNumber: numberIn(entry, 'image') ?? 0,
      slot: numberIn(entry, 'slot') ?? 0,
      version: textIn(entry, 'version') ?? '',
      hash: hash === null ? null : hexOf(hash),
      hashBytes: hash ?? new Uint8Array(),
      state: flags.filter((flag) => entry.get(flag) === true),
    };
  });
}

function describeSlots(slots: readonly McubootSlot[]): NrfSlot[] {
  const isMulti = slots.some(({ imageNumber }) => imageNumber > 0);
  return slots.map(({ imageNumber, slot, version, hash, state }) => ({
    name: isMulti ? `image ${imageNumber}, slot ${slot}` : `slot ${slot}`,
    version,
    hash,
    state,
    imageNumber,
    address: null,
    length: null,
  }));
}

interface SlotRoom {
  readonly imageNumber: number;
  /** Bytes of the first slot, or the largest image if the board reports it. */
  readonly room: number | null;
  /** Upload number of the first slot; null if uploads are numbered by image ("Slot info", `upload_image_id`). */
  readonly uploadNumber: number | null;
}

function readRooms({ data }: SmpAnswer): SlotRoom[] {
  return mapsIn(data, 'images').map((image) => {
    const first = mapsIn(image, 'slots').find((slot) => numberIn(slot, 'slot') === 0);
    return {
      imageNumber: numberIn(image, 'image') ?? 0,
      room: numberIn(image, 'max_image_size') ?? (first === undefined ? null : numberIn(first, 'size')),
      uploadNumber: first === undefined ? null : numberIn(first, 'upload_image_id'),
    };
  });
}

export class McubootDriver implements NrfDriver {
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
   * @throws NrfError `stopped-answering` or `size-unusable`; PortError.
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
      throw new NrfError('size-unusable', { detail: reportedSizeText('buf_size', driver.#buffer.size) });
    }
    const info = await driver.#ask(smpCommand.slotInfo, nothing, deadlines.request, signal);
    driver.#rooms = resultOf(info) === 0 ? readRooms(info) : [];
    await driver.#look(signal);
    return driver;
  }

  get info(): NrfInfo {
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

  async present(images: readonly NrfImage[], signal: AbortSignal): Promise<ReadonlyMap<NrfImage, RegionProof | null>> {
    await this.#look(signal);
    return new Map(
      images.flatMap((image) => {
        const found = this.#find(image);
        return found?.slot === 0 ? [[image, proofOf(found)]] : [];
      }),
    );
  }

  async write(image: NrfImage, work: ImageWork): Promise<ImageResult> {
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
      throw new NrfError('image-not-accepted', { detail: `Not in the list of valid images: ${image.hash}.` });
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
        throw new NrfError('cannot-restart', { detail: `Result ${result}.` });
      }
    }
  }

  async #upload({ bytes, imageNumber }: NrfImage, work: ImageWork): Promise<void> {
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
      throw new NrfError('cannot-activate', { detail: `Result ${resultOf(answer)}.` });
    }
    this.#slots = readSlots(answer);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const answer = await this.#ask(smpCommand.imageState, nothing, deadlines.imageState, signal);
    const result = resultOf(answer);
    if (result !== 0 && result !== smpError.notSupported) {
      throw new NrfError('read-failed', { detail: `The list of images was refused with result ${result}.` });
    }
    this.#slots = readSlots(answer);
  }

  #find({ hash, imageNumber }: NrfImage): McubootSlot | undefined {
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
    throw new NrfError('stopped-answering', {
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
