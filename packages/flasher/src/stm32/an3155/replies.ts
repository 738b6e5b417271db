/** What the bootloader says about itself (AN3155 sections 3.1 to 3.3). Bytes only. */

export interface BootloaderFacts {
  /** `3.1`: the digits of one byte. */
  readonly version: string;
  /** Codes of the commands that it knows. */
  readonly commands: ReadonlySet<number>;
}

/**
 * Section 3.1: version, then the codes.
 * @param bytes what is between the count and the last acknowledgement.
 */
export function parseGet(bytes: Uint8Array): BootloaderFacts {
  const [version = 0, ...codes] = bytes;
  return { version: versionText(version), commands: new Set(codes) };
}

/** Section 3.2: `0x31` is version 3.1. */
function versionText(version: number): string {
  return `${version >>> 4}.${version & 0xf}`;
}

/** Section 3.3: two bytes, the higher one first, 12 bits of them. */
export function parseId(bytes: Uint8Array): number {
  const [high = 0, low = 0] = bytes;
  return ((high << 8) | low) & 0xfff;
}
