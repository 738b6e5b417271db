/**
 * Writes with Adafruit's bootloader over a serial port: start, init packet, data, stop. Packets are only
 * acknowledged. Success shows only in the application starting as another USB port. An interrupted write cannot be
 * resumed.
 */

import { isUnplugged } from '../../port-failure.ts';
import { deadlines, vanishLimit } from '../deadlines.ts';
import { isTouchable, pulseReset } from '../enter-bootloader.ts';
import type { NrfInfo } from '../nrf-board.ts';
import type { ImageResult, ImageWork, NrfDriver } from '../nrf-driver.ts';
import { NrfError } from '../nrf-failure.ts';
import type { NrfImage } from '../package/nrf-firmware.ts';
import { awaitRestart } from '../write/await-restart.ts';
import { dataMark, initPayload, largestData, startPayload, stopPayload } from './hci.ts';
import type { LegacyLink, Packet } from './legacy-link.ts';
import { activateTime, eraseTime, pageSize, pageWrite } from './legacy-timing.ts';

/** Requests to check that the bootloader still answers. */
const ASKS = 4;
/**
 * Milliseconds to wait before a request after a restart. The nRF52832 listens for a second when it starts
 * (`DFU_SERIAL_STARTUP_INTERVAL`), and a request in that time would keep it in its bootloader.
 */
const STARTUP_WINDOW = 1_300;
const unproven: ImageResult = { outcome: 'unverified', proof: null, resumed: 0 };

interface NamedPacket extends Packet {
  readonly what: string;
}

export class LegacyDriver implements NrfDriver {
  readonly formats = ['legacy-package'] as const;
  readonly info: NrfInfo;
  readonly #link: LegacyLink;
  /** True: an image was begun and not finished. The bootloader accepts no other one until it restarts. */
  #isMidway = false;
  #hasLeft = false;

  constructor(link: LegacyLink) {
    this.#link = link;
    this.info = {
      bootloader: 'adafruit-dfu',
      link: link.port.link,
      part: null,
      flashSize: null,
      ramSize: null,
      slots: [],
      room: null,
      canTest: false,
      unfinished: null,
    };
  }

  /** Returns an empty map, because this bootloader does not report its images. */
  async present(): Promise<ReadonlyMap<NrfImage, null>> {
    return new Map();
  }

  async write(image: NrfImage, work: ImageWork): Promise<ImageResult> {
    const { parts, initPacket, bytes } = image;
    if (parts === null || initPacket === null) {
      throw new NrfError('wrong-bootloader');
    }
    await this.#mustListen(startPayload(parts), work.signal);
    this.#isMidway = true;
    work.onTouched();
    // If only the acknowledgement is lost, the board does not receive anything until the erase is done.
    const erasing = eraseTime(bytes.length);
    await this.#send(
      [
        { what: 'start', payload: [startPayload(parts)], limit: deadlines.frame + erasing, pause: erasing },
        { what: 'init packet', payload: [initPayload(initPacket)], limit: deadlines.frame, pause: 0 },
        ...this.#dataPackets(bytes, work),
      ],
      work.signal,
    );
    work.onVerifying();
    const device = this.#link.port.bytes.device;
    await this.#stop(work.signal);
    this.#isMidway = false;
    if (!work.isLast || image.kind !== 'application') {
      return unproven;
    }
    return this.#findOut(image, device, work.signal);
  }

  awaitNext(signal: AbortSignal): Promise<void> {
    return awaitRestart(this.#link.port, activateTime(0, true), signal, async (limit) => {
      this.#link.reset();
      while (!(await this.#link.ask(limit, 1, deadlines.probe))) {
        limit.throwIfAborted();
      }
    });
  }

  async restart(signal: AbortSignal): Promise<void> {
    const { port } = this.#link;
    if (this.#hasLeft) {
      return;
    }
    if (port.link === 'usb') {
      throw new NrfError('cannot-restart');
    }
    await pulseReset(port, signal);
  }

  /** Gets the bootloader to answer. The nRF52832 leaves it a second after each reset unless it receives a request. */
  async #mustListen(start: Uint8Array, signal: AbortSignal): Promise<void> {
    const { port } = this.#link;
    if (this.#isMidway && port.link === 'usb') {
      await this.#restartMidway(start, signal);
    }
    if (!this.#isMidway && (await this.#link.ask(signal, ASKS, deadlines.probe))) {
      return;
    }
    if (port.link === 'uart') {
      await pulseReset(port, signal);
      this.#link.reset();
    }
    if (!(await this.#link.ask(signal, ASKS, deadlines.probe))) {
      throw new NrfError('stopped-answering', { detail: 'The bootloader was there a moment ago and is gone.' });
    }
  }

  /** Makes the bootloader restart: a start packet during an image is an error that causes it (`process_dfu_packet`). */
  async #restartMidway(start: Uint8Array, signal: AbortSignal): Promise<void> {
    const { port } = this.#link;
    await this.#link.send(deadlines.frame, signal, start);
    if (await port.vanished(vanishLimit, signal)) {
      await port.follow(signal);
      this.#link.reset();
    }
  }

  *#dataPackets(bytes: Uint8Array, work: ImageWork): Generator<NamedPacket> {
    // On its own USB the board accepts no data while it is busy. Over a UART, data sent in that time is lost
    // (`flash_nrf5x.c`).
    const isDeaf = this.#link.port.link === 'uart';
    for (let at = 0; at < bytes.length; at += largestData) {
      const end = Math.min(at + largestData, bytes.length);
      // A page is written when the first packet of the next page arrives, the last page after the last packet.
      const pages = (isDeaf && at > 0 && at % pageSize === 0 ? 1 : 0) + (end === bytes.length ? 1 : 0);
      yield {
        what: `data at ${at}`,
        payload: [dataMark, bytes.subarray(at, end)],
        limit: deadlines.frame,
        pause: pages * pageWrite,
        taken: () => work.onProgress(end),
      };
    }
  }

  /**
   * Sends the stop packet. The board may vanish before its acknowledgement arrives; `#findOut` determines the result.
   */
  async #stop(signal: AbortSignal): Promise<void> {
    try {
      await this.#link.send(deadlines.frame, signal, stopPayload);
    } catch (error) {
      if (!isUnplugged(error)) {
        throw error;
      }
    }
  }

  async #send(packets: Iterable<NamedPacket>, signal: AbortSignal): Promise<void> {
    const silent = await this.#link.sendAll(packets, signal);
    if (silent !== null) {
      throw new NrfError('stopped-answering', { detail: `No acknowledgement of: ${silent.what}.` });
    }
  }

  /**
   * Determines the result. An application that starts has passed the bootloader's CRC-16 check. A bootloader that
   * still answers has rejected it.
   */
  async #findOut({ bytes, crc16 }: NrfImage, before: SerialPort, signal: AbortSignal): Promise<ImageResult> {
    const { port } = this.#link;
    const busy = activateTime(bytes.length, true);
    const isGone = await port.vanished(busy + (port.link === 'usb' ? vanishLimit : STARTUP_WINDOW), signal);
    this.#hasLeft = true;
    if (!isGone) {
      if (await this.#link.ask(signal, ASKS, deadlines.probe)) {
        this.#hasLeft = false;
        throw new NrfError('image-not-accepted');
      }
      return unproven;
    }
    const back = await port.awaitReturn(signal);
    if (back === null || crc16 === null) {
      return unproven;
    }
    if (back.getInfo().usbProductId === before.getInfo().usbProductId) {
      throw new NrfError('image-not-accepted', { detail: 'The board came back in its bootloader.' });
    }
    // The bootloader has two product IDs, with and without its drive.
    const isApplication = isTouchable(back) || back.getInfo().usbVendorId !== before.getInfo().usbVendorId;
    if (!isApplication) {
      return unproven;
    }
    return { outcome: 'verified', proof: { kind: 'crc16', value: crc16.toString(16).padStart(4, '0') }, resumed: 0 };
  }
}
