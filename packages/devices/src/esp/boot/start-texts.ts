/** What a chip says at a start, worked out from what is in its flash. */

import type { ResetReason } from '../chips/chip.ts';
import { scramble } from '../encryption.ts';
import type { EspIdentity } from '../identity.ts';
import type { Memory } from '../memory.ts';
import type { NorFlash } from '../nor-flash.ts';
import { type BootContext, type BootScript, bootFromFlash, romBanner } from './boot-script.ts';

export type Strap = 'flash' | 'download';

export class StartTexts {
  readonly #identity: EspIdentity;
  readonly #flash: NorFlash;
  readonly #memory: (strap: Strap) => Memory;
  #last: { readonly version: number; readonly reason: ResetReason; readonly script: BootScript } | null = null;

  /** @param memory the memory of a chip that has just begun. */
  constructor(identity: EspIdentity, flash: NorFlash, memory: (strap: Strap) => Memory) {
    this.#identity = identity;
    this.#flash = flash;
    this.#memory = memory;
  }

  /** What the ROM says before its loader waits. */
  download(reason: ResetReason): string {
    const { chip, connection } = this.#identity;
    const { downloadBoot, usbDownloadBoot, waiting, usbWaiting } = chip.texts;
    const usb = connection === 'usb-jtag';
    const wait = usb ? (usbWaiting ?? waiting) : waiting;
    const boot = usb ? (usbDownloadBoot ?? downloadBoot) : downloadBoot;
    const banner = romBanner(this.#context('download'), reason, boot);
    return wait === null ? banner : `${banner}${wait}\r\n`;
  }

  /** What is said at a start from flash. A chip that restarts for ever reads the same flash for ever: once is enough. */
  flash(reason: ResetReason): BootScript {
    const { version } = this.#flash;
    if (this.#last?.version !== version || this.#last.reason !== reason) {
      this.#last = { version, reason, script: bootFromFlash(this.#context('flash'), reason) };
    }
    return this.#last.script;
  }

  #context(strap: Strap): BootContext {
    const { chip, revision, security, seed } = this.#identity;
    const read = (offset: number, length: number) => {
      const raw = this.#flash.read(offset, length);
      return security.flashEncryption === 'off' ? raw : scramble(seed, offset, raw);
    };
    return { chip, revision, secureBoot: security.secureBoot, memory: this.#memory(strap), read };
  }
}
