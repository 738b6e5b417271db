/**
 * Adafruit's serial DFU: start, init, data, stop. Only the transport acknowledges them. An error restarts the chip or
 * is ignored without an answer, so only the new application shows success. Source: Adafruit_nRF52_Bootloader,
 * `dfu_transport_serial.c`, `dfu_single_bank.c`, `src/dfu_init.c`; adafruit-nrfutil for the layout of an init packet
 * (`init_packet.py`).
 */

import { viewOf } from '../../byte-fields.ts';
import { SlipReceiver, slipFrame } from '../../slip.ts';
import { type NrfBoard, pageSize } from '../boards.ts';
import type { BootSession, Outcome } from '../boot-session.ts';
import { crc16 } from '../crc16.ts';
import type { NrfStep } from '../faults.ts';
import type { Nvm } from '../nvm.ts';
import type { SoftDeviceInfo } from '../soft-device.ts';

const packet = { init: 1, start: 3, data: 4, stop: 5 } as const;
const update = { softDevice: 1, bootloader: 2, application: 4 } as const;
/** `ADAFRUIT_DEVICE_TYPE`. */
const deviceType = 0x0052;
/** `DFU_SOFTDEVICE_ANY`. */
const anySoftDevice = 0xfffe;
const maxInit = 128;
/** SLIP rules of `hci_slip.c`. */
const slipRules = { opens: 'end-once', strict: false } as const;
/** Milliseconds between the last acknowledgement and the chip's restart. */
const restartDelay = 20;

const steps: ReadonlyMap<number, NrfStep> = new Map([
  [packet.start, 'start'],
  [packet.init, 'init'],
  [packet.data, 'data'],
  [packet.stop, 'stop'],
]);

interface Sizes {
  readonly mode: number;
  readonly softDevice: number;
  readonly bootloader: number;
  readonly application: number;
}

type Phase = 'idle' | 'ready' | 'receiving' | 'stuck';
/** Consequence of a packet for the chip. */
type Fate = 'goes-on' | 'reset' | 'jump';

/** The flash that the session writes to, and the bootloader's data in it. */
export interface AdafruitFlash {
  readonly board: NrfBoard;
  readonly nvm: Nvm;
  readonly softDevice: SoftDeviceInfo | null;
  /** Address after the SoftDevice, or after the master boot record (`CODE_REGION_1_START`). */
  readonly applicationStart: number;
  /**
   * Most bytes of an image and of a bootloader (`DFU_IMAGE_MAX_SIZE_FULL`, `DFU_BL_IMAGE_MAX_SIZE`), and the device
   * revision.
   */
  readonly limits: { readonly image: number; readonly bootloader: number; readonly revision: number };
  /** Erases and rewrites the settings page. */
  saveBank0(now: number, bank: { readonly size: number; readonly crc: number } | null): void;
  /** Installs a received SoftDevice, with or without a bootloader. The application has already been erased. */
  installSoftDevice(image: Uint8Array): void;
}

const headerSize = 4;
const crcSize = 2;
const vendorSpecific = 14;
const integrityBit = 1 << 6;
const reliableBit = 1 << 7;
/** `INITIAL_ACK_NUMBER_EXPECTED`. */
const firstSequence = 1;
/** `HCI_RX_BUF_SIZE`: longest packet in bytes. */
const maxPacket = 600;

interface HciReception {
  /** Payload of an expected packet; null for a repeated or unexpected packet, which is only acknowledged. */
  readonly payload: Uint8Array | null;
  readonly acknowledgement: Uint8Array;
}

/**
 * The transport below Adafruit's serial DFU: reliable packets with a sequence number, a header sum and a CRC. Each is
 * answered with the next expected number. Source: nRF5 SDK v11 and Adafruit_nRF52_Bootloader, `hci_transport.c`;
 * Bluetooth Core Specification, volume 4, part D ("Three-wire UART Transport Layer").
 */
export class HciReceiver {
  #expected = firstSequence;

  /** Processes a packet. Returns null for an invalid one. */
  receive(packet: Uint8Array): HciReception | null {
    if (!isSound(packet)) {
      return null;
    }
    const fresh = ((packet[0] ?? 0) & 7) === this.#expected;
    if (fresh) {
      this.#expected = (this.#expected + 1) & 7;
    }
    return {
      payload: fresh ? packet.subarray(headerSize, packet.length - crcSize) : null,
      acknowledgement: this.#ack(),
    };
  }

  #ack(): Uint8Array {
    const first = this.#expected << 3;
    return Uint8Array.of(first, 0, 0, -first & 0xff);
  }
}

/** True for a valid packet. The header's length is not checked, as in the bootloader. */
function isSound(packet: Uint8Array): boolean {
  const [flags = 0, type = 0, length = 0, sum = 0] = packet;
  if (packet.length <= headerSize + crcSize || !(flags & integrityBit) || !(flags & reliableBit)) {
    return false;
  }
  if ((type & 0x0f) !== vendorSpecific || ((flags + type + length + sum) & 0xff) !== 0) {
    return false;
  }
  const end = packet.length - crcSize;
  return crc16(packet.subarray(0, end), 0xffff) === viewOf(packet).getUint16(end, true);
}

export class AdafruitSession implements BootSession {
  /** True for an nRF52832: its UART has no flow control, and its processor halts while flash is erased or written. */
  readonly deafWhileBusy: boolean;
  readonly #boot: AdafruitFlash;
  readonly #slip = new SlipReceiver(maxPacket, slipRules);
  readonly #hci = new HciReceiver();
  #phase: Phase = 'idle';
  #sizes: Sizes | null = null;
  #init: Uint8Array = new Uint8Array();
  #crc = 0;
  #received = 0;
  /** Bytes of the current page. It is written when the next one begins. */
  #page: number[] = [];

  constructor(boot: AdafruitFlash) {
    this.#boot = boot;
    this.deafWhileBusy = boot.board.connection === 'uart';
  }

  receive(bytes: Uint8Array): readonly Uint8Array[] {
    return this.#slip.receive(bytes);
  }

  stepOf(message: Uint8Array): NrfStep | null {
    return steps.get(message[4] ?? 0) ?? null;
  }

  process(message: Uint8Array, now: number): Outcome {
    const reception = this.#hci.receive(message);
    if (reception === null) {
      return { answers: [], answerAt: now, freeAt: now };
    }
    const fate = reception.payload === null ? 'goes-on' : this.#deal(reception.payload, now);
    const freeAt = Math.max(now, this.#boot.nvm.busyUntil);
    return {
      answers: [slipFrame(reception.acknowledgement)],
      answerAt: now,
      freeAt,
      ...(fate !== 'goes-on' && { end: { at: Math.max(freeAt, now + restartDelay), by: fate } }),
    };
  }

  /** Restarts the chip, because this protocol has no error answer. */
  refuse(message: Uint8Array, now: number): Outcome {
    const reception = this.#hci.receive(message);
    const answers = reception === null ? [] : [slipFrame(reception.acknowledgement)];
    return { answers, answerAt: now, freeAt: now, end: { at: now + restartDelay, by: 'reset' } };
  }

  #deal(payload: Uint8Array, now: number): Fate {
    // The type is the first byte of a word. Only whole words after it count.
    const body = payload.subarray(4, payload.length - (payload.length % 4));
    switch (payload[0]) {
      case packet.start:
        return this.#start(body, now);
      case packet.init:
        return this.#takeInit(body);
      case packet.data:
        this.#takeData(body, now);
        return 'goes-on';
      case packet.stop:
        return this.#stop(now);
      default:
        return 'goes-on';
    }
  }

  #start(body: Uint8Array, now: number): Fate {
    if (body.length < 16 || this.#phase !== 'idle') {
      return 'reset';
    }
    const view = viewOf(body);
    const [mode, softDevice, bootloader, application] = [0, 4, 8, 12].map((at) => view.getUint32(at, true)) as [
      number,
      number,
      number,
      number,
    ];
    const { image, bootloader: maxBootloader } = this.#boot.limits;
    const size = softDevice + bootloader + application;
    const mixed = (mode & update.application) !== 0 && (mode & (update.softDevice | update.bootloader)) !== 0;
    const whole = [softDevice, bootloader, application].every((part) => part % 4 === 0);
    if (mixed || !whole || bootloader > maxBootloader || size > image) {
      return 'reset';
    }
    this.#sizes = { mode, softDevice, bootloader, application };
    // The old application is lost from here on.
    const begin = this.#boot.applicationStart;
    this.#boot.nvm.erase(now, begin, begin + size);
    this.#boot.saveBank0(now, null);
    this.#phase = 'ready';
    return 'goes-on';
  }

  #takeInit(body: Uint8Array): Fate {
    const sizes = this.#sizes;
    if (this.#phase !== 'ready' || sizes === null || this.#init.length + body.length > maxInit) {
      return 'reset';
    }
    this.#init = Uint8Array.from([...this.#init, ...body]);
    const crc = this.#checkedInit(sizes.mode);
    if (crc === null) {
      return 'reset';
    }
    this.#crc = crc;
    this.#phase = 'receiving';
    return 'goes-on';
  }

  /** Returns the image's CRC from the init packet; null if the packet does not match this board. */
  #checkedInit(mode: number): number | null {
    const view = viewOf(this.#init);
    if (view.byteLength < 12) {
      return null;
    }
    const count = view.getUint16(8, true);
    const end = 10 + count * 2;
    if (view.byteLength < end + 2 || view.getUint16(0, true) !== deviceType) {
      return null;
    }
    const risky = (mode & (update.softDevice | update.bootloader)) !== 0;
    if (risky && view.getUint16(2, true) !== this.#boot.limits.revision) {
      return null;
    }
    const present = this.#boot.softDevice?.fwid;
    const softDevices = Array.from({ length: count }, (_, index) => view.getUint16(10 + index * 2, true));
    const fits = softDevices.some((fwid) => fwid === anySoftDevice || fwid === present);
    return fits ? view.getUint16(end, true) : null;
  }

  #takeData(body: Uint8Array, now: number): void {
    const sizes = this.#sizes;
    if (this.#phase !== 'receiving' || sizes === null) {
      return;
    }
    if (this.#received + body.length > sizeOf(sizes)) {
      this.#phase = 'stuck';
      return;
    }
    for (const byte of body) {
      if (this.#page.length === pageSize) {
        this.#writePage(now);
      }
      this.#page.push(byte);
      this.#received++;
    }
    if (this.#received === sizeOf(sizes)) {
      this.#writePage(now);
    }
  }

  #writePage(now: number): void {
    const offset = this.#received - this.#page.length;
    this.#boot.nvm.program(now, this.#boot.applicationStart + offset, Uint8Array.from(this.#page));
    this.#page = [];
  }

  /** Completes the update. Errors are ignored here: no restart and no answer. */
  #stop(now: number): Fate {
    const { nvm, applicationStart } = this.#boot;
    const sizes = this.#sizes;
    if (this.#phase !== 'receiving' || sizes === null || this.#received !== sizeOf(sizes)) {
      return 'goes-on';
    }
    this.#phase = 'stuck';
    nvm.settle(nvm.busyUntil);
    const image = nvm.read(applicationStart, this.#received);
    if (crc16(image, 0xffff) !== this.#crc) {
      return 'goes-on';
    }
    if (sizes.mode & update.application) {
      this.#boot.saveBank0(now, { size: this.#received, crc: this.#crc });
      return 'jump';
    }
    if (sizes.mode & update.softDevice) {
      this.#boot.installSoftDevice(image.subarray(0, sizes.softDevice));
    }
    return 'reset';
  }
}

function sizeOf({ softDevice, bootloader, application }: Sizes): number {
  return softDevice + bootloader + application;
}
