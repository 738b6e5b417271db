/** Core dumps in any of their forms, with or without the text, the header and the checksum around them. */
import { readCoreBinary } from './core-binary.ts';
import { readContainer } from './core-container.ts';
import type { CoreDump } from './core-dump.ts';
import { readCoreElf } from './core-elf.ts';
import { CoreDumpError } from './core-failure.ts';

/** `esp_chip_id_t` of the chips with Xtensa processors; all others have RISC-V. Source: ESP-IDF, `esp_app_format.h`. */
const xtensaChips: readonly number[] = [0, 2, 9];

/** Reads a core dump in any of its forms. Throws a `CoreDumpError`. */
export async function readCoreDump(bytes: Uint8Array): Promise<CoreDump> {
  const { header, content } = await readContainer(bytes);
  if (content.kind === 'elf') {
    return { header, ...readCoreElf(content.bytes) };
  }
  if (header === null) {
    throw new CoreDumpError('damaged');
  }
  return { header, ...readCoreBinary(xtensaChips.includes(header.chipId) ? 'xtensa' : 'riscv', content) };
}
