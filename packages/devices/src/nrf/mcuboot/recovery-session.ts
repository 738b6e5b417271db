/**
 * MCUboot's serial recovery with its SMP commands: echo, parameters, reset; list and set images, upload, slot info.
 * Errors are `rc` in a map for every version of SMP. Requests that it cannot parse get no answer. Source: MCUboot,
 * "Serial recovery" (docs) and `boot_serial.c`; Zephyr, "SMP Protocol Specification" for header and codes.
 */

import { decodeFirst, encode } from 'cborg';
import { joined, sameBytes, viewOf } from '../../byte-fields.ts';
import { pageSize } from '../boards.ts';
import type { BootSession, Outcome } from '../boot-session.ts';
import type { NrfStep } from '../faults.ts';
import type { Nvm } from '../nvm.ts';
import type { McubootOptions } from '../options.ts';
import { versionText } from './image.ts';
import { type SlotNumber, type Slots, type SwapType, slotSize } from './slots.ts';
import { SmpConsole, smpLines } from './smp-console.ts';

/** `MGMT_ERR_…`. */
const rc = { ok: 0, unknown: 1, invalid: 3, notFound: 5, notSupported: 8 } as const;
const operation = { read: 0, write: 2 } as const;
const group = { os: 0, image: 1 } as const;
const osCommand = { echo: 0, consoleEcho: 1, reset: 5, params: 6 } as const;
const imageCommand = { state: 0, upload: 1, slotInfo: 6 } as const;
const headerSize = 8;
/** `write-block-size` of an nRF52's flash in bytes. Bytes beyond a whole block are requested again. */
const writeBlock = 4;
const usualReceiveSize = 1_024;
/** Milliseconds between the answer to a reset and the reset (`bs_reset`). */
const resetDelay = 250;
/** `BOOT_EBADIMAGE`, the error of a slot with a damaged trailer. */
const badImage = 3;

export type CborValue = number | boolean | null | string | Uint8Array | readonly CborValue[] | CborMap;
interface CborMap {
  readonly [key: string]: CborValue;
}

/** First bytes of a list and of a map of indefinite length, and the byte that ends both (section 3.2.2). */
const list = Uint8Array.of(0x9f);
const map = Uint8Array.of(0xbf);
const end = Uint8Array.of(0xff);
const deepest = 8;

/**
 * CBOR (RFC 8949) for serial recovery: whole numbers, bytes, texts, lists, maps with text keys, true, false, null.
 * Encoded lists and maps have indefinite length, as zcbor writes them without canonical encoding.
 */
export function writeCbor(value: CborValue): Uint8Array<ArrayBuffer> {
  if (isList(value)) {
    return joined(list, ...value.map(writeCbor), end);
  }
  return isCborMap(value)
    ? joined(map, ...Object.entries(value).flatMap(([key, item]) => [encode(key), writeCbor(item)]), end)
    : joined(encode(value));
}

/** Decodes the first item of `bytes` and ignores the rest. Returns undefined for invalid or unsupported items. */
export function readCbor(bytes: Uint8Array): CborValue | undefined {
  try {
    const [value] = decodeFirst(bytes, { allowBigInt: false, coerceUndefinedToNull: true });
    return isValue(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCborMap(value: CborValue | undefined): value is CborMap {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Uint8Array);
}

function isList(value: CborValue | undefined): value is readonly CborValue[] {
  return Array.isArray(value);
}

function isValue(value: unknown, depth: number): value is CborValue {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value);
    case 'string':
    case 'boolean':
      return true;
    case 'object': {
      const isLeaf = value === null || value instanceof Uint8Array;
      return isLeaf || (depth < deepest && Object.values(value).every((item) => isValue(item, depth + 1)));
    }
    default:
      return false;
  }
}

interface Request {
  readonly header: Uint8Array;
  readonly operation: number;
  readonly group: number;
  readonly id: number;
  readonly body: CborValue | undefined;
}

interface Upload {
  readonly slot: SlotNumber;
  readonly size: number;
  /** Next expected offset. */
  offset: number;
  /** First byte of the slot that has not been erased yet. */
  erased: number;
}

/** The flash that the session writes to, and the bootloader's build options. */
export interface McubootFlash {
  readonly nvm: Nvm;
  readonly slots: Slots;
  readonly options: McubootOptions;
}

export class RecoverySession implements BootSession {
  readonly deafWhileBusy = false;
  readonly #boot: McubootFlash;
  readonly #console: SmpConsole;
  #upload: Upload = { slot: 0, size: 0, offset: 0, erased: 0 };

  constructor(boot: McubootFlash) {
    this.#boot = boot;
    this.#console = new SmpConsole(boot.options.receiveSize ?? usualReceiveSize);
  }

  receive(bytes: Uint8Array): readonly Uint8Array[] {
    return this.#console.receive(bytes);
  }

  stepOf(message: Uint8Array): NrfStep | null {
    const request = requestOf(message);
    if (request?.group === group.image) {
      const steps: Readonly<Record<number, NrfStep>> = {
        [imageCommand.state]: 'image-state',
        [imageCommand.upload]: 'upload',
      };
      return steps[request.id] ?? null;
    }
    const steps: Readonly<Record<number, NrfStep>> = {
      [osCommand.echo]: 'echo',
      [osCommand.reset]: 'reset',
      [osCommand.params]: 'params',
    };
    return request?.group === group.os ? (steps[request.id] ?? null) : null;
  }

  process(message: Uint8Array, now: number): Outcome {
    const request = requestOf(message);
    if (request === null) {
      return { answers: [], answerAt: now, freeAt: now };
    }
    const answer = request.group === group.os ? this.#os(request) : this.#image(request, now);
    const done = Math.max(now, this.#boot.nvm.busyUntil);
    const resets = request.group === group.os && request.id === osCommand.reset;
    return {
      answers: [answerTo(request, answer)],
      answerAt: done,
      freeAt: done,
      ...(resets && { end: { at: done + resetDelay, by: 'reset' } }),
    };
  }

  refuse(message: Uint8Array, now: number): Outcome {
    const request = requestOf(message);
    const answers = request === null ? [] : [answerTo(request, { rc: rc.unknown })];
    return { answers, answerAt: now, freeAt: now };
  }

  #os({ id, body }: Request): CborMap {
    const { echo = true, params = true, receiveSize = usualReceiveSize } = this.#boot.options;
    const { toldBufferSize = receiveSize } = this.#boot.options;
    switch (id) {
      case osCommand.echo: {
        const text = isCborMap(body) ? body['d'] : undefined;
        return !echo ? { rc: rc.notSupported } : typeof text === 'string' ? { r: text } : { rc: rc.invalid };
      }
      case osCommand.consoleEcho:
      case osCommand.reset:
        return { rc: rc.ok };
      case osCommand.params:
        return params ? { buf_size: toldBufferSize, buf_count: 1 } : { rc: rc.notSupported };
      default:
        return { rc: rc.notSupported };
    }
  }

  #image(request: Request, now: number): CborMap {
    if (request.group !== group.image) {
      return { rc: rc.notSupported };
    }
    switch (request.id) {
      case imageCommand.state:
        return request.operation === operation.read ? this.#list() : this.#setState(request.body);
      case imageCommand.upload:
        return this.#take(request.body, now);
      case imageCommand.slotInfo:
        return request.operation === operation.read ? this.#slotInfo() : { rc: rc.notSupported };
      default:
        return { rc: rc.notSupported };
    }
  }

  #list(): CborMap {
    const { slots, options } = this.#boot;
    const { imageState = true } = options;
    const swap = slots.swapType;
    const images = ([0, 1] as const).flatMap((slot) => {
      const image = slots.image(slot);
      if (image === null) {
        return [];
      }
      const states = imageState ? statesOf(slot, swap, image.bootable) : {};
      const hash = imageState ? { hash: image.hash } : {};
      return [{ ...states, slot, ...hash, version: versionText(image.version) }];
    });
    return { images };
  }

  /** Marks the second slot as pending, also if the hash belongs to the first one (`boot_set_pending_multi`). */
  #setState(body: CborValue | undefined): CborMap {
    const { slots, options } = this.#boot;
    if (!(options.imageState ?? true)) {
      return { rc: rc.notSupported };
    }
    if (!isCborMap(body)) {
      return { rc: rc.invalid };
    }
    const { hash = new Uint8Array(), confirm = false } = body;
    if (!(hash instanceof Uint8Array) || typeof confirm !== 'boolean' || (hash.length !== 0 && hash.length !== 32)) {
      return { rc: rc.invalid };
    }
    const known = ([0, 1] as const).some((slot) => sameBytes(slots.image(slot)?.hash ?? new Uint8Array(1), hash));
    if (hash.length > 0 && !known) {
      return { rc: rc.notFound };
    }
    return slots.setPending(confirm) ? this.#list() : { rc: badImage };
  }

  #take(body: CborValue | undefined, now: number): CborMap {
    const { data, len = Number.POSITIVE_INFINITY, off, image = 0 } = isCborMap(body) ? body : {};
    const sound =
      data instanceof Uint8Array && typeof off === 'number' && typeof len === 'number' && typeof image === 'number';
    if (!sound || off < 0) {
      return { rc: rc.invalid };
    }
    const slot = off === 0 ? this.#slotOf(image) : this.#upload.slot;
    if (slot === null || (off === 0 && len > slotSize)) {
      return { rc: rc.invalid };
    }
    if (off === 0) {
      this.#upload = { slot, size: len, offset: 0, erased: 0 };
    } else if (off !== this.#upload.offset) {
      // Reports the expected offset with a success code.
      return { rc: rc.ok, off: this.#upload.offset };
    } else if (off + data.length > this.#upload.size) {
      return { rc: rc.invalid };
    }
    return this.#write(data, now);
  }

  #write(data: Uint8Array, now: number): CborMap {
    const upload = this.#upload;
    const { nvm, slots } = this.#boot;
    const start = slots.start(upload.slot);
    if (upload.offset + data.length - 1 >= slotSize) {
      return { rc: rc.invalid };
    }
    const last = upload.offset + data.length >= upload.size;
    const whole = last ? data.length : data.length - (data.length % writeBlock);
    const until = Math.ceil((upload.offset + data.length) / pageSize) * pageSize;
    if (until > upload.erased) {
      nvm.erase(now, start + upload.erased, start + until);
      upload.erased = until;
    }
    nvm.program(now, start + upload.offset, data.slice(0, whole));
    upload.offset += whole;
    if (upload.offset === upload.size && upload.erased < slotSize) {
      // Erases the page of the trailer, so that nothing of an old one remains.
      nvm.erase(now, start + slotSize - pageSize, start + slotSize);
    }
    return { rc: rc.ok, off: upload.offset };
  }

  /** Returns the slot for an upload with this image number; null for an invalid number. */
  #slotOf(image: number): SlotNumber | null {
    if (!(this.#boot.options.directUpload ?? false)) {
      return image === 0 ? 0 : null;
    }
    return image === 2 ? 1 : image === 0 || image === 1 ? 0 : null;
  }

  #slotInfo(): CborMap {
    const direct = this.#boot.options.directUpload ?? false;
    const slots = [0, 1].map((slot) => ({
      slot,
      size: slotSize,
      ...(direct ? { upload_image_id: slot + 1 } : slot === 1 ? { upload_image_id: 0 } : {}),
    }));
    return { images: [{ image: 0, slots }] };
  }
}

/** Returns the states of a slot as `bs_list` reports them: false states are omitted. */
function statesOf(slot: SlotNumber, swap: SwapType, bootable: boolean): Record<string, true> {
  const planned = swap === 'test' || swap === 'permanent';
  const confirmed = slot === (swap === 'revert' ? 1 : 0);
  return {
    ...(bootable && { bootable: true as const }),
    ...(confirmed && { confirmed: true as const }),
    ...(slot === 0 && !planned && { active: true as const }),
    ...(slot === 1 && planned && { pending: true as const }),
    ...(slot === 1 && swap === 'permanent' && { permanent: true as const }),
  };
}

/** Parses a request. Returns null for messages that get no answer. */
function requestOf(message: Uint8Array): Request | null {
  if (message.length < headerSize) {
    return null;
  }
  const view = viewOf(message);
  const kind = view.getUint8(0) & 7;
  if ((kind !== operation.read && kind !== operation.write) || view.getUint16(2) < message.length - headerSize) {
    return null;
  }
  return {
    header: message.subarray(0, headerSize),
    operation: kind,
    group: view.getUint16(4),
    id: view.getUint8(7),
    body: readCbor(message.subarray(headerSize)),
  };
}

/** Returns an answer: the request's header with the answering operation, and `map`. */
function answerTo({ header, operation: asked }: Request, map: CborMap): Uint8Array {
  const body = writeCbor(map);
  const head = header.slice();
  const view = viewOf(head);
  view.setUint8(0, (view.getUint8(0) & ~7) | (asked + 1));
  view.setUint8(1, 0);
  view.setUint16(2, body.length);
  return smpLines(joined(head, body));
}
