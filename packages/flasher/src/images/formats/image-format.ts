/**
 * Records of file formats, listed in `formats.ts`. Espressif's own images are not among them: their parts are
 * recognised by their place in flash (`esp/images/image-part.ts`).
 */
import type { MemorySegment } from './memory-segments.ts';

export interface ImageFormat {
  readonly kind: string;
  /** Name for people, such as `Intel HEX`. */
  readonly name: string;
  /** Contents: data at addresses, other files, or one image without an address. */
  readonly holds: 'memory' | 'files' | 'image';
  /**
   * Returns true if the first bytes match the format, or the last bytes for a mark at the end. The rest may be
   * damaged.
   */
  startsLike(bytes: Uint8Array): boolean;
}

/** Part of a file that is not among its segments. */
export interface OtherPart {
  /** Target: another kind of chip, another memory of the board, or a file system that the bootloader fills. */
  readonly kind: 'chip' | 'memory' | 'files';
  /** Description in words: `RP2040`, `alternate setting 1 ("Option Bytes")`. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Chips that a file is read for. A file may hold parts for several chips. */
export interface OwnChips {
  /** @param family Name from `uf2-families.ts`, such as `STM32F4`. */
  includes(family: string): boolean;
}

/** USB vendor and product ID; null matches any. */
export interface UsbIds {
  readonly vendorId: number | null;
  readonly productId: number | null;
}

export interface MemoryContents {
  readonly segments: readonly MemorySegment[];
  /** Entry point; null if the file does not state one. */
  readonly entry: number | null;
  /** Kind of chip that `segments` are for, in words; null or absent if the file does not state one. */
  readonly target?: string | null;
  /** USB device that the file is for; null or absent if it does not state one. */
  readonly device?: UsbIds | null;
  /** Further parts of the file; absent if there are no others. */
  readonly others?: readonly OtherPart[];
}

export interface MemoryFormat extends ImageFormat {
  readonly holds: 'memory';
  /**
   * Reads the program.
   *
   * @param own Selects the part of a file for several chips. Default: the first part.
   * @throws ImageError with the format's own codes, or `other-chip` for a file without a part for `own`.
   */
  read(bytes: Uint8Array, own?: OwnChips): MemoryContents;
}
