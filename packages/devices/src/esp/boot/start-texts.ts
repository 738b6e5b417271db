/** A chip's output at a start, derived from the content of its flash. */

import type { ResetReason } from '../chips/chip.ts';
import { scramble } from '../encryption.ts';
import type { EspIdentity } from '../identity.ts';
import type { Memory } from '../memory.ts';
import { type NorFlash, sectorSize } from '../nor-flash.ts';
import { type BootContext, type BootScript, bootFromFlash, romBanner } from './boot-script.ts';

export type Strap = 'flash' | 'download';

export class StartTexts {
  readonly #identity: EspIdentity;
  readonly #flash: NorFlash;
  readonly #memory: (strap: Strap) => Memory;
  #last: { readonly version: number; readonly reason: ResetReason; readonly script: BootScript } | null = null;

  /**
   * @param identity The chip.
   * @param flash The chip's flash.
   * @param memory Creates the memory of a chip that has just started.
   */
  constructor(identity: EspIdentity, flash: NorFlash, memory: (strap: Strap) => Memory) {
    this.#identity = identity;
    this.#flash = flash;
    this.#memory = memory;
  }

  /** Returns the ROM's output before its loader waits. */
  download(reason: ResetReason): string {
    const { chip, connection } = this.#identity;
    const { downloadBoot, usbDownloadBoot, waiting, usbWaiting } = chip.texts;
    const usb = connection === 'usb-jtag';
    const wait = usb ? (usbWaiting ?? waiting) : waiting;
    const boot = usb ? (usbDownloadBoot ?? downloadBoot) : downloadBoot;
    const banner = romBanner(this.#context('download'), reason, boot);
    return wait === null ? banner : `${banner}${wait}\r\n`;
  }

  /**
   * Returns the script of a start from flash, which may write OTA data. It is cached until the flash changes, because a
   * restart loop needs it again and again.
   */
  flash(reason: ResetReason): BootScript {
    const { version } = this.#flash;
    if (this.#last?.version !== version || this.#last.reason !== reason) {
      this.#last = { version, reason, script: bootFromFlash(this.#context('flash'), reason) };
    }
    return this.#last.script;
  }

  #context(strap: Strap): BootContext {
    const { chip, revision, security, seed, rollback } = this.#identity;
    const read = (offset: number, length: number) => {
      const raw = this.#flash.read(offset, length);
      return security.flashEncryption === 'off' ? raw : scramble(seed, offset, raw);
    };
    const rewrite = (offset: number, bytes: Uint8Array<ArrayBuffer>) => {
      const sector = new Uint8Array(sectorSize).fill(0xff);
      sector.set(security.flashEncryption === 'off' ? bytes : scramble(seed, offset, bytes));
      this.#flash.preload(offset, sector);
    };
    const { secureBoot } = security;
    return { chip, revision, secureBoot, memory: this.#memory(strap), read, rewrite, rollback };
  }
}
