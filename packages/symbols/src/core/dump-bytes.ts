/** Extracts the bytes of a core dump from its text or its partition. */
import { dumpBytes } from './core-container.ts';
import { readHeader } from './core-header.ts';
import { zephyrDumpIn } from './core-zephyr.ts';

/**
 * Returns the dump's bytes.
 *
 * @param bytes File that `readCoreDump` has accepted.
 * @throws CoreDumpError for other files.
 */
export function coreDumpBytes(bytes: Uint8Array): Uint8Array {
  const zephyr = zephyrDumpIn(bytes);
  if (zephyr !== null) {
    return zephyr;
  }
  const all = dumpBytes(bytes);
  // A bare ELF core file has no header: all of it is the dump.
  return all.subarray(0, readHeader(all)?.length);
}
