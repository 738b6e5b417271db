/** The bytes of a core dump, without the text that they were printed in and what else is in their partition. */
import { dumpBytes } from './core-container.ts';
import { readHeader } from './core-header.ts';
import { zephyrDumpIn } from './core-zephyr.ts';

/**
 * @param bytes that `readCoreDump` has read.
 * @throws CoreDumpError for others.
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
