/** The bytes of a core dump, without the text that they were printed in and what else is in their partition. */
import { ELF_MAGIC, isText } from './core-container.ts';
import { bytesOfText } from './dump-text.ts';

/** @param bytes that `readCoreDump` has read. Throws a `CoreDumpError` for others. */
export function coreDumpBytes(bytes: Uint8Array): Uint8Array {
  const all = isText(bytes) ? bytesOfText(new TextDecoder().decode(bytes)) : bytes;
  // Its length comes first, unless it is a bare ELF core file.
  const length = new DataView(all.buffer, all.byteOffset, all.length).getUint32(0, true);
  return length === ELF_MAGIC || length > all.length ? all : all.subarray(0, length);
}
