/**
 * The nRF5 SDK's secure bootloader in flash: its settings, the place for new firmware, its validation, and its
 * activation at the next reset. Its answers are in secure-session.ts. Source: nRF5 SDK v15.3 and v17,
 * `nrf_bootloader.c`, `nrf_dfu_validation.c`, `nrf_dfu_utils.c`, `nrf_bootloader_fw_activation.c`.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { sameBytes } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import { mbrSize, type NrfBoard, pageAfter, pageSize } from '../boards.ts';
import type { Bootcode, BootDecision, ResetReason } from '../boot-session.ts';
import { demoKey } from '../crypto/signing-key.ts';
import { applicationImage, bootTextOf, factoryText } from '../firmware/application.ts';
import type { Nvm } from '../nvm.ts';
import type { NrfDeviceOptions, SecureDfuOptions } from '../options.ts';
import {
  readSoftDevice,
  type SoftDeviceInfo,
  softDeviceHead,
  softDeviceImage,
  softDeviceMagicAddress,
} from '../soft-device.ts';
import { type BankCode, copied, type DfuSettings, noBank, noProgress } from './dfu-settings.ts';
import { checkInitPacket, type InitContext } from './init-checks.ts';
import { type InitCommand, readInitPacket } from './init-packet.ts';
import { extendedRefusal, firmwareType, refusal, result, success, type Verdict } from './results.ts';
import { type SecureFlash, SecureSession } from './secure-session.ts';

/** Address of the bootloader (linker scripts of the SDK's examples; "nRF52840 Dongle programming tutorial"). */
const bootloaderStart = { nRF52832: 0x78000, nRF52840: 0xe0000 } as const;
/** Bytes reserved for the application's own data (`NRF_DFU_APP_DATA_AREA_SIZE`). */
const applicationData = 3 * pageSize;
/**
 * `NRF_BL_DFU_CONTINUATION_TIMEOUT_MS`: milliseconds that it waits for the application that belongs to a new
 * SoftDevice or bootloader.
 */
const continuationTime = 10_000;
const settingsSize = 0x380;
const usualHardware = 52;

export class SecureBootcode implements Bootcode, SecureFlash {
  readonly board: NrfBoard;
  readonly nvm: Nvm;
  readonly #options: SecureDfuOptions;
  /** Content of the settings page. */
  #saved: DfuSettings;
  settings: DfuSettings;

  constructor(board: NrfBoard, nvm: Nvm, { secure = {}, content = 'factory' }: NrfDeviceOptions) {
    this.board = board;
    this.nvm = nvm;
    this.#options = secure;
    const { softDevice = null, applicationVersion = 1, bootloaderVersion = 1 } = secure;
    if (softDevice !== null) {
      nvm.preload(mbrSize, softDeviceImage(softDevice));
    }
    const factory = () => applicationImage({ text: factoryText(board.chip.name), address: this.applicationStart });
    const application = content === 'factory' ? factory() : content;
    this.#saved = {
      applicationVersion: application === 'empty' ? 0 : applicationVersion,
      bootloaderVersion,
      bank0: { ...noBank },
      bank1: { ...noBank },
      progress: { ...noProgress },
      initCommand: new Uint8Array(),
      initTaken: false,
      target: 0,
      targetSize: 0,
    };
    if (application !== 'empty') {
      nvm.preload(this.applicationStart, application);
      this.#saved.bank0 = { code: 'application', size: application.length, crc: crc32(application) };
    }
    this.settings = copied(this.#saved);
  }

  reset(reason: ResetReason): BootDecision {
    this.settings = copied(this.#saved);
    const activated = this.#activate();
    const { inactivityTimeout = 0 } = this.#options;
    const idle =
      inactivityTimeout > 0 ? { idle: { after: inactivityTimeout, next: 'reset', once: false } as const } : {};
    if (activated !== null && activated.code !== 'application') {
      const rule = { after: continuationTime, next: 'reset', once: false } as const;
      return { start: 'bootloader', takes: activated.takes, idle: rule };
    }
    const takes = activated?.takes ?? 0;
    // On the board with its own USB, the reset button alone requests the bootloader
    // (`NRF_BL_DFU_ENTER_METHOD_PINRESET`).
    const asked = reason === 'button' || reason === 'double' || (reason === 'pin' && this.board.connection === 'usb');
    return asked || this.bootText() === null
      ? { start: 'bootloader', takes, ...idle }
      : { start: 'application', takes };
  }

  open(): SecureSession {
    return new SecureSession(this);
  }

  /** Returns the application's text. Null without a valid application; empty for one that prints nothing. */
  bootText(): string | null {
    const { code, size, crc } = this.#saved.bank0;
    const image = this.nvm.read(this.applicationStart, size);
    return code === 'application' && crc32(image) === crc ? (bootTextOf(image) ?? '') : null;
  }

  get reported(): SecureFlash['reported'] {
    return { mtu: this.#options.reportedMtu, objectSize: this.#options.reportedObjectSize };
  }

  get saveProgress(): boolean {
    return this.#options.saveProgress ?? false;
  }

  get bootloaderRegion(): SecureFlash['bootloaderRegion'] {
    const start = bootloaderStart[this.board.chip.name];
    return { start, size: this.board.chip.flashSize - 2 * pageSize - start };
  }

  get softDevice(): SoftDeviceInfo | null {
    return readSoftDevice(this.nvm.read(mbrSize, softDeviceHead));
  }

  get applicationStart(): number {
    return pageAfter(this.softDevice?.end ?? mbrSize);
  }

  save(now: number): void {
    this.#saved = copied(this.settings);
    const page = this.board.chip.flashSize - pageSize;
    this.nvm.erase(now, page, page + pageSize);
    this.nvm.program(now, page, new Uint8Array(settingsSize).fill(0xff));
  }

  takeInitCommand(): Verdict {
    const { settings } = this;
    if (settings.initTaken) {
      return success;
    }
    const packet = readInitPacket(settings.initCommand);
    if (packet === null) {
      return refusal(result.invalidObject);
    }
    const verdict = checkInitPacket(packet, this.#context());
    if (verdict.code !== result.success) {
      return verdict;
    }
    const size = this.#sizeOf(packet.command);
    if (typeof size !== 'number') {
      return size;
    }
    const target = this.#findRoom(packet.command, size);
    if (target === null) {
      return refusal(result.insufficientResources);
    }
    Object.assign(settings, { initTaken: true, target, targetSize: size });
    return success;
  }

  validateFirmware(): Verdict {
    const { settings } = this;
    const packet = readInitPacket(settings.initCommand);
    const image = this.nvm.read(settings.target, settings.targetSize);
    const verdict = packet === null ? refusal(result.invalidObject) : this.#validated(packet.command, image);
    const fine = verdict.code === result.success;
    settings.bank1 = fine
      ? { code: this.#bankCode(packet?.command ?? null), size: image.length, crc: crc32(image) }
      : { ...noBank };
    Object.assign(settings, { progress: { ...noProgress }, initCommand: new Uint8Array(), initTaken: false });
    return verdict;
  }

  #context(): InitContext {
    const { publicKey = demoKey.publicKey, requireSignature = true, hardwareVersion = usualHardware } = this.#options;
    const { preventDowngrade = true, debug = false } = this.#options;
    const { applicationVersion, bootloaderVersion } = this.settings;
    const versions = { applicationVersion, bootloaderVersion, softDevice: this.softDevice?.fwid ?? null };
    return { publicKey, requireSignature, hardwareVersion, preventDowngrade, debug, ...versions };
  }

  #sizeOf({ type, appSize, sdSize, blSize }: InitCommand): number | Verdict {
    if (type === firmwareType.application) {
      return appSize ? appSize : extendedRefusal('initCommandInvalid');
    }
    const withSoftDevice = type === firmwareType.softDevice || type === firmwareType.softDeviceBootloader;
    const withBootloader = type === firmwareType.bootloader || type === firmwareType.softDeviceBootloader;
    if (withBootloader && (blSize ?? 0) > this.bootloaderRegion.size) {
      return refusal(result.insufficientResources);
    }
    const size = (withSoftDevice ? (sdSize ?? 0) : 0) + (withBootloader ? (blSize ?? 0) : 0);
    return size > 0 ? size : extendedRefusal('initCommandInvalid');
  }

  /**
   * Returns the address for new firmware: behind the application, else in its place, else in place of the SoftDevice
   * too. Null without enough room.
   */
  #findRoom(init: InitCommand, size: number): number | null {
    const { settings } = this;
    const end = this.bootloaderRegion.start - applicationData;
    const single =
      (this.#options.singleBank ?? false) &&
      (init.type === firmwareType.application || init.type === firmwareType.softDevice);
    const behind = pageAfter(this.applicationStart + settings.bank0.size);
    if (!single && size <= end - behind) {
      return behind;
    }
    const mayGo = this.softDevice !== null && !needsSoftDevice(init);
    const instead = size <= end - this.applicationStart && !(single && mayGo) ? this.applicationStart : null;
    const target = instead ?? (mayGo && size <= end - mbrSize ? mbrSize : null);
    if (target !== null) {
      settings.bank0 = { ...noBank };
    }
    if (target === mbrSize && mayGo) {
      this.#removeSoftDevice();
    }
    return target;
  }

  #validated(init: InitCommand, image: Uint8Array): Verdict {
    // The hash is little-endian in the packet (pc-nrfutil, `package.py`).
    if (!sameBytes(sha256(image).toReversed(), init.hash)) {
      return extendedRefusal('verificationFailed');
    }
    const { settings } = this;
    const counts = !((this.#options.debug ?? false) && init.isDebug);
    if (init.type === firmwareType.application) {
      settings.bank0 = { ...settings.bank0, code: 'invalid' };
      if (!needsSoftDevice(init) && this.softDevice !== null) {
        this.#removeSoftDevice();
      }
      settings.applicationVersion = counts
        ? (init.fwVersion ?? settings.applicationVersion)
        : settings.applicationVersion;
      return success;
    }
    if (init.type !== firmwareType.bootloader) {
      const info = readSoftDevice(image);
      if (info === null || info.end < pageAfter((init.sdSize ?? 0) + mbrSize)) {
        return refusal(result.invalidObject);
      }
      if (majorOf(info) !== majorOf(this.softDevice)) {
        settings.bank0 = { ...noBank };
      }
    }
    if (init.type !== firmwareType.softDevice && counts) {
      settings.bootloaderVersion = init.fwVersion ?? settings.bootloaderVersion;
    }
    return success;
  }

  #bankCode(init: InitCommand | null): BankCode {
    const codes = ['application', 'soft-device', 'bootloader', 'soft-device-bootloader'] as const;
    return codes[init?.type ?? firmwareType.application] ?? 'invalid';
  }

  /**
   * Installs received firmware. The real bootloader repeats this after a power loss, so no partial state is visible.
   */
  #activate(): { readonly code: BankCode; readonly takes: number } | null {
    const { settings } = this;
    const { code, size, crc } = settings.bank1;
    if (code === 'invalid') {
      return null;
    }
    const image = this.nvm.read(settings.target, size);
    const place = code === 'application' ? this.applicationStart : mbrSize;
    // A real bootloader replaces itself through the master boot record. The simulated one stays unchanged.
    const moved = code !== 'bootloader' && place !== settings.target;
    if (moved) {
      this.nvm.preload(place, image);
    }
    if (code === 'application') {
      settings.bank0 = { code, size, crc };
    }
    settings.bank1 = { ...noBank };
    this.#saved = copied(settings);
    const { page, word } = this.nvm.times;
    return { code, takes: moved ? Math.ceil(size / pageSize) * page + Math.ceil(size / 4) * word : 0 };
  }

  /** Invalidates the SoftDevice by its magic number (`nrf_dfu_softdevice_invalidate`). */
  #removeSoftDevice(): void {
    this.nvm.preload(softDeviceMagicAddress, new Uint8Array(4));
  }
}

function needsSoftDevice({ sdReq: [first] }: InitCommand): boolean {
  return first !== undefined && first !== 0;
}

function majorOf(info: SoftDeviceInfo | null): number | null {
  return info === null ? null : Math.floor(info.version / 1_000_000);
}
