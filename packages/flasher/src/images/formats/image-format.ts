/**
 * What the product knows of one format of files: one record each, listed in `formats.ts`. Formats of Espressif's own images are
 * not among these: their parts are told by where they are in flash (`esp/image-part.ts`).
 */
import { addressText } from '../../bytes.ts';
import type { MemorySegment } from './memory-segments.ts';

export interface ReportFact {
  readonly label: string;
  readonly value: string;
}

/** A stretch of addresses with data, or a file of an archive. */
export interface ReportPart {
  readonly name: string;
  /** Null for files of an archive. */
  readonly address: number | null;
  /** Bytes. */
  readonly size: number;
}

/** A file of an archive, unpacked. */
export interface PackedFile {
  /** Path within the archive, with `/`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface FormatContents {
  /** One line: `UF2 file for ESP32-S3`. */
  readonly title: string;
  readonly facts?: readonly ReportFact[];
  /** Sentences that a person should know before flashing it. */
  readonly notes?: readonly string[];
  /** What is written where; of a file for several kinds of chips, what the first one gets. Empty where the file has no addresses. */
  readonly segments: readonly MemorySegment[];
  /** Where execution begins, when the file says. */
  readonly entry: number | null;
  /** What a person is shown of the contents. */
  readonly parts: readonly ReportPart[];
  /** Of an archive. */
  readonly files?: readonly PackedFile[];
}

export interface ImageFormat {
  readonly kind: string;
  /** As people call it: `Intel HEX`. */
  readonly name: string;
  /** `Intel HEX file`, as it is called where it cannot be read. */
  readonly title: string;
  /** Data at addresses, other files, or one image without an address. */
  readonly holds: 'memory' | 'files' | 'image';
  /** The first bytes are those of this format. What follows may be damaged. */
  startsLike(bytes: Uint8Array): boolean;
  /** @throws ImageError with the format's own codes. */
  read(bytes: Uint8Array): FormatContents;
}

/** Stretches of memory as a person is shown them: each called by its address. */
export function partsOf(segments: readonly MemorySegment[]): ReportPart[] {
  return segments.map(({ address, bytes }) => ({ name: addressText(address), address, size: bytes.length }));
}
