/**
 * Adafruit's nRF52 bootloader in flash: the place and validity of the application, and the decision at a reset. Its
 * answers are in adafruit-session.ts. Source: Adafruit_nRF52_Bootloader, `src/main.c` (`check_dfu_mode`),
 * `dfu_types.h` (layout), `bootloader.c` (settings).
 */

import { viewOf } from '../../byte-fields.ts';
import { mbrSize, type NrfBoard, pageAfter, pageSize } from '../boards.ts';
import type { Bootcode, BootDecision, ResetReason } from '../boot-session.ts';
import { crc16 } from '../crc16.ts';
import { applicationImage, bootTextOf, factoryText } from '../firmware/application.ts';
import type { Nvm } from '../nvm.ts';
import type { NrfDeviceOptions } from '../options.ts';
import { readSoftDevice, type SoftDeviceInfo, softDeviceHead, softDeviceImage } from '../soft-device.ts';
import { type AdafruitFlash, AdafruitSession } from './adafruit-session.ts';

/** `BOOTLOADER_REGION_START`, `BOOTLOADER_MBR_PARAMS_PAGE_ADDRESS`, reserved bytes and `ADAFRUIT_DEV_REV`. */
const layouts = {
  nRF52832: { bootloader: 0x74000, parameters: 0x7e000, reserved: 7 * pageSize, revision: 0xadaf },
  nRF52840: { bootloader: 0xf4000, parameters: 0xfe000, reserved: 10 * pageSize, revision: 52_840 },
} as const;
/**
 * `DFU_SERIAL_STARTUP_INTERVAL`: milliseconds at each start that an nRF52832 waits for a host, because it has no USB.
 */
const startupWindow = 1_000;

export class AdafruitBootcode implements Bootcode, AdafruitFlash {
  readonly board: NrfBoard;
  readonly nvm: Nvm;
  /** Size and CRC of bank 0 in the settings page; null: no valid application. */
  #bank0: { readonly size: number; readonly crc: number } | null = null;

  constructor(board: NrfBoard, nvm: Nvm, { adafruit = {}, content = 'factory' }: NrfDeviceOptions) {
    this.board = board;
    this.nvm = nvm;
    const { softDevice = board.softDevice } = adafruit;
    if (softDevice !== null) {
      nvm.preload(mbrSize, softDeviceImage(softDevice));
    }
    const factory = () => applicationImage({ text: factoryText(board.chip.name), address: this.applicationStart });
    const application = content === 'factory' ? factory() : content;
    if (application !== 'empty') {
      nvm.preload(this.applicationStart, application);
      this.#bank0 = { size: application.length, crc: crc16(application, 0xffff) };
    }
  }

  reset(reason: ResetReason): BootDecision {
    const asked = reason === 'button' || reason === 'double';
    if (reason === 'touch') {
      return { start: 'serial-only', takes: 0 };
    }
    if (asked || this.bootText() === null) {
      return { start: 'bootloader', takes: 0 };
    }
    // After an update, `main` continues with the application without a reset, thus without another window.
    if (this.board.connection === 'uart' && reason !== 'jump') {
      return { start: 'bootloader', takes: 0, idle: { after: startupWindow, next: 'application', once: true } };
    }
    return { start: 'application', takes: 0 };
  }

  open(): AdafruitSession {
    return new AdafruitSession(this);
  }

  /** Returns the application's text. Null without a valid application; empty for one that prints nothing. */
  bootText(): string | null {
    const bank = this.#bank0;
    if (bank === null) {
      return null;
    }
    const image = this.nvm.read(this.applicationStart, bank.size);
    const begins = viewOf(image);
    const empty = image.length < 8 || (begins.getUint32(0) === 0xffffffff && begins.getUint32(4) === 0xffffffff);
    // A stored CRC of zero disables the check.
    const sound = bank.crc === 0 || crc16(image, 0xffff) === bank.crc;
    return empty || !sound ? null : (bootTextOf(image) ?? '');
  }

  get softDevice(): SoftDeviceInfo | null {
    return readSoftDevice(this.nvm.read(mbrSize, softDeviceHead));
  }

  get applicationStart(): number {
    return pageAfter(this.softDevice?.end ?? mbrSize);
  }

  get limits(): AdafruitFlash['limits'] {
    const { bootloader, parameters, reserved, revision } = layouts[this.board.chip.name];
    return { image: bootloader - this.applicationStart - reserved, bootloader: parameters - bootloader, revision };
  }

  saveBank0(now: number, bank: { readonly size: number; readonly crc: number } | null): void {
    this.#bank0 = bank;
    const page = this.board.chip.flashSize - pageSize;
    this.nvm.erase(now, page, page + pageSize);
    this.nvm.program(now, page, new Uint8Array(28).fill(0xff));
  }

  installSoftDevice(image: Uint8Array): void {
    if (readSoftDevice(image) !== null) {
      this.nvm.preload(mbrSize, image);
    }
  }
}
