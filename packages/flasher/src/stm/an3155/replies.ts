/** Parses the bootloader's answers about itself (AN3155 sections 3.1 to 3.3). */

export interface BootloaderFacts {
  /** For example `3.1`, from the digits of one byte. */
  readonly version: string;
  /** Codes of the supported commands. */
  readonly commands: ReadonlySet<number>;
}

/**
 * Parses the answer to Get: version, then command codes (section 3.1).
 *
 * @param bytes Bytes between the count and the last acknowledgement.
 */
export function parseGet(bytes: Uint8Array): BootloaderFacts {
  const [version = 0, ...codes] = bytes;
  return { version: versionText(version), commands: new Set(codes) };
}

/** Formats a version: `0x31` is 3.1 (section 3.2). */
function versionText(version: number): string {
  return `${version >>> 4}.${version & 0xf}`;
}

/** Parses the product ID: the lower 12 bits of two bytes, big endian (section 3.3). */
export function parseId(bytes: Uint8Array): number {
  const [high = 0, low = 0] = bytes;
  return ((high << 8) | low) & 0xfff;
}
