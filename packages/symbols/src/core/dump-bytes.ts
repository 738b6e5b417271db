/** Extracts the bytes of a core dump from its text or its partition. */
import { dumpIn } from './core-container.ts';
import { readHeader } from './core-header.ts';
import { zephyrDumpIn } from './core-zephyr.ts';

/**
 * Resolves with the dump's bytes.
 *
 * @param bytes File that `readCoreDump` has accepted.
 * @throws CoreDumpError for other files.
 */
export async function coreDumpBytes(bytes: Uint8Array): Promise<Uint8Array> {
  const zephyr = zephyrDumpIn(bytes);
  if (zephyr !== null) {
    return zephyr;
  }
  const { bytes: all } = await dumpIn(bytes);
  // A bare ELF core file has no header: all of it is the dump.
  return all.subarray(0, readHeader(all)?.length);
}
