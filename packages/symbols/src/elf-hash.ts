/**
 * Checks that an ELF file is the running build. Firmware prints the first digits of the SHA-256 of its ELF file
 * (ESP-IDF, `esp_app_desc.h`).
 */
import { type ByteSource, readExactly } from './byte-source.ts';

/** Returns the SHA-256 of the whole file: 64 hexadecimal digits in lower case. */
export async function elfHash(source: ByteSource): Promise<string> {
  const bytes = await readExactly(source, 0, source.size);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns true if `hash` starts with the digits that the firmware printed.
 * @param printed hexadecimal digits of a mark `elf-hash`, at least 8
 */
export function isSameBuild(hash: string, printed: string): boolean {
  return printed.length >= 8 && hash.startsWith(printed.toLowerCase());
}
