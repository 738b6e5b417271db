/** The RAM programs, as they were built: where their bytes go, and where they start. Knows no link. */

export interface ProbeSegment {
  readonly address: number;
  /** A whole number of words. */
  readonly bytes: Uint8Array;
}

export interface ProbeProgram {
  readonly entry: number;
  /** By address from low to high. */
  readonly segments: readonly { readonly address: number; readonly base64: string }[];
  /** Of the bytes of all segments, one after the other. */
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
