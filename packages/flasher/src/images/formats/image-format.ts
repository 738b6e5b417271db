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
  /** The first bytes are those of this format. What follows may be damaged. */
  startsLike(bytes: Uint8Array): boolean;
}

export interface MemoryFormat extends ImageFormat {
  readonly holds: 'memory';
  /** @throws ImageError with the format's own codes. */
  read(bytes: Uint8Array): {
    /** What is written where; of a file for several kinds of chips, what the first one gets. */
    readonly segments: readonly MemorySegment[];
    /** Where execution begins, when the file says. */
    readonly entry: number | null;
  };
}
