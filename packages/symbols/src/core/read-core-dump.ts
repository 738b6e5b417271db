/** Reads core dumps in all their forms, with or without text, header and checksum around them. */
import { readCoreBinary } from './core-binary.ts';
import { readContainer } from './core-container.ts';
import type { CoreDump } from './core-dump.ts';
import { readCoreElf } from './core-elf.ts';
import { CoreDumpError } from './core-failure.ts';
import { readZephyrDump, zephyrDumpIn } from './core-zephyr.ts';

/** `esp_chip_id_t` of the chips with Xtensa processors; all others have RISC-V. Source: ESP-IDF, `esp_app_format.h`. */
const xtensaChips: readonly number[] = [0, 2, 9];

interface ReadOptions {
  /** Awaited between slices of a large dump, so that other work of the thread can run. */
  readonly pause?: () => Promise<void>;
}

/**
 * Reads a core dump in any of its forms.
 *
 * @throws CoreDumpError
 */
export async function readCoreDump(bytes: Uint8Array, { pause }: ReadOptions = {}): Promise<CoreDump> {
  const zephyr = zephyrDumpIn(bytes);
  if (zephyr !== null) {
    return readZephyrDump(zephyr);
  }
  const { header, content } = await readContainer(bytes, pause);
  if (content.kind === 'elf') {
    return { header, ...readCoreElf(content.bytes) };
  }
  if (header === null) {
    throw new CoreDumpError('damaged');
  }
  return { header, ...readCoreBinary(xtensaChips.includes(header.chipId) ? 'xtensa' : 'riscv', content) };
}
