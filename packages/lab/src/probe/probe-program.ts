/** The built RAM programs: their segments, load addresses and entry points. */

export interface ProbeSegment {
  readonly address: number;
  /** Length is a multiple of 4. */
  readonly bytes: Uint8Array;
}

export interface ProbeProgram {
  readonly entry: number;
  /** Sorted by address. */
  readonly segments: readonly { readonly address: number; readonly base64: string }[];
  /** Hash of the concatenated bytes of all segments. */
  readonly sha256: string;
  readonly compiler: string;
}

export type ProbeChipName = 'esp32' | 'esp32c3';

export function segmentsOf({ segments }: ProbeProgram): ProbeSegment[] {
  return segments.map(({ address, base64 }) => ({
    address,
    bytes: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
  }));
}
