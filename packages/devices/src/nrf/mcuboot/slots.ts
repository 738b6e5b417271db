/**
 * MCUboot's two slots, and the trailers at their ends that control the swap. Source: MCUboot, "Bootloader design",
 * sections "Image trailer" and "Image swapping"; `bootutil_public.c`. Layout: Zephyr, `nrf52840_partition.dtsi`.
 */

import { sameBytes } from '../../byte-fields.ts';
import { pageSize } from '../boards.ts';
import type { PublicKey } from '../crypto/p256.ts';
import type { Nvm } from '../nvm.ts';
import { type McubootImage, validImage } from './image.ts';

export const slotSize = 0x76000;
const slotStarts = [0xc000, 0x82000] as const;
export type SlotNumber = 0 | 1;

/** `boot_img_magic`. */
const trailerMagic = Uint8Array.of(
  0x77,
  0xc2,
  0x95,
  0xf3,
  0x60,
  0xd2,
  0xef,
  0x7f,
  0x35,
  0x52,
  0x50,
  0x0f,
  0x2c,
  0xb6,
  0x79,
  0x80,
);
/** `BOOT_MAX_ALIGN`: bytes reserved for each flag. */
const flagRoom = 8;
const magicOffset = slotSize - trailerMagic.length;
const imageOkOffset = magicOffset - flagRoom;
const copyDoneOffset = imageOkOffset - flagRoom;
/** `BOOT_FLAG_SET`; an erased flag is unset. */
const flagSet = 0x01;

export type SwapType = 'none' | 'test' | 'permanent' | 'revert';

export class Slots {
  readonly #nvm: Nvm;
  readonly #key: PublicKey | null;

  constructor(nvm: Nvm, key: PublicKey | null) {
    this.#nvm = nvm;
    this.#key = key;
  }

  /** Returns the slot's address in flash. */
  start(slot: SlotNumber): number {
    return slotStarts[slot];
  }

  /** Returns the image in the slot; null if it is invalid. */
  image(slot: SlotNumber): McubootImage | null {
    return validImage(this.#nvm.read(this.start(slot), slotSize), this.#key);
  }

  /** The swap that the trailers request. The second slot's trailer has priority. */
  get swapType(): SwapType {
    if (this.#magic(1) === 'good') {
      return this.#flag(1, imageOkOffset) ? 'permanent' : 'test';
    }
    const tried = this.#magic(0) === 'good' && this.#flag(0, copyDoneOffset) && !this.#flag(0, imageOkOffset);
    return tried ? 'revert' : 'none';
  }

  /** Requests the second slot for the next start. Returns false if its trailer is neither erased nor valid. */
  setPending(permanent: boolean): boolean {
    const magic = this.#magic(1);
    if (magic === 'unset') {
      this.#nvm.preload(this.start(1) + magicOffset, trailerMagic);
      if (permanent) {
        this.#set(1, imageOkOffset);
      }
    }
    return magic !== 'bad';
  }

  /** Confirms the running application on its behalf: `boot_set_confirmed`. */
  confirm(): void {
    if (this.#magic(0) === 'good') {
      this.#set(0, imageOkOffset);
    }
  }

  /** Executes the swap that the trailers request. Returns its duration in milliseconds. */
  swap(): number {
    const type = this.swapType;
    if (type === 'none') {
      return 0;
    }
    if (this.image(1) === null) {
      // An invalid image is not swapped in. The slot is erased, so that the next start does not try again.
      this.#nvm.preload(this.start(1), new Uint8Array(slotSize).fill(0xff));
      return (slotSize / pageSize) * this.#nvm.times.page;
    }
    const [first, second] = [this.#nvm.read(this.start(0), slotSize), this.#nvm.read(this.start(1), slotSize)];
    first.fill(0xff, copyDoneOffset - flagRoom);
    second.fill(0xff, copyDoneOffset - flagRoom);
    this.#nvm.preload(this.start(0), second);
    this.#nvm.preload(this.start(1), first);
    this.#nvm.preload(this.start(0) + magicOffset, trailerMagic);
    this.#set(0, copyDoneOffset);
    if (type !== 'test') {
      this.#set(0, imageOkOffset);
    }
    // "Image swap using move": each page of the first slot is written twice, each of the second once.
    const { page, word } = this.#nvm.times;
    return 3 * (slotSize / pageSize) * (page + (pageSize / 4) * word);
  }

  #magic(slot: SlotNumber): 'good' | 'unset' | 'bad' {
    const found = this.#nvm.read(this.start(slot) + magicOffset, trailerMagic.length);
    return sameBytes(found, trailerMagic) ? 'good' : found.every((byte) => byte === 0xff) ? 'unset' : 'bad';
  }

  #flag(slot: SlotNumber, offset: number): boolean {
    return this.#nvm.read(this.start(slot) + offset, 1)[0] === flagSet;
  }

  #set(slot: SlotNumber, offset: number): void {
    this.#nvm.preload(this.start(slot) + offset, Uint8Array.of(flagSet));
  }
}
