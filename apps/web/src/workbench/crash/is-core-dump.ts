/** Recognises core dumps among dropped files. Loaded with the first file. */
import { fileText } from '@wirebench/port/given-text';

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];
const ELF_CORE = 4;

/**
 * Recognises a core dump by the first bytes of a file: an ELF core, text, an ESP-IDF header with a possible version
 * and chip, a Zephyr header, or an erased partition. A file named like an ELF file of a program counts as one even if
 * its bytes are not ELF. It is then reported as a damaged ELF file.
 */
export function isCoreDump(head: Uint8Array, name: string): boolean {
  if (ELF_MAGIC.every((byte, index) => head[index] === byte)) {
    return head[16] === ELF_CORE;
  }
  if (/\.(?:elf|axf|out)$/i.test(name)) {
    return false;
  }
  if (head[0] === 0x5a && head[1] === 0x45 && head[3] === 0) {
    // Zephyr's header begins with ZE and a version.
    return true;
  }
  const [version = 0xff, chip = 0xff] = [head[5], head[7]];
  const isErased = head.every((byte) => byte === 0xff);
  return head.length > 0 && (isErased || fileText(head) !== null || (head.length > 16 && version < 4 && chip === 0));
}
