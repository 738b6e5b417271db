/**
 * What the product knows of one format of files: one record each, listed in `formats.ts`. Formats of Espressif's own images are
 * not among these: their parts are told by where they are in flash (`espressif/images/image-part.ts`).
 */
import type { MemorySegment } from './memory-segments.ts';

export interface ImageFormat {
  readonly kind: string;
  /** As people call it: `Intel HEX`. */
  readonly name: string;
  /** Data at addresses, other files, or one image without an address. */
  readonly holds: 'memory' | 'files' | 'image';
  /** The first bytes are those of this format, or the last where its mark is there. What is between may be damaged. */
  startsLike(bytes: Uint8Array): boolean;
}

/** A part of a file that is not among its segments. */
export interface OtherPart {
  /** What it is for: another kind of chip, another memory of the board, or a file system that the boot loader fills. */
  readonly kind: 'chip' | 'memory' | 'files';
  /** In words: `RP2040`, `alternate setting 1 ("Option Bytes")`. */
  readonly name: string;
  /** Bytes of data. */
  readonly size: number;
}

/** The chips that a file is read for. A file may name those that it is for, and hold parts for several of them. */
export interface OwnChips {
  /** @param family as `uf2-families.ts` has it: `STM32F4` */
  includes(family: string): boolean;
}

/** USB vendor and product; null for any. */
export interface UsbIds {
  readonly vendorId: number | null;
  readonly productId: number | null;
}

export interface MemoryContents {
  readonly segments: readonly MemorySegment[];
  /** Where execution begins, when the file says. */
  readonly entry: number | null;
  /** The kind of chip that `segments` are for, in words; null or absent when the file does not say. */
  readonly target?: string | null;
  /** The USB device that the file is for; null or absent when it does not say. */
  readonly device?: UsbIds | null;
  /** What else the file holds; absent for none. */
  readonly others?: readonly OtherPart[];
}

export interface MemoryFormat extends ImageFormat {
  readonly holds: 'memory';
  /**
   * @param own decides which part of a file for several chips is taken: without it, the first.
   * @throws ImageError with the format's own codes; `other-chip` for a file that has nothing for `own`.
   */
  read(bytes: Uint8Array, own?: OwnChips): MemoryContents;
}
