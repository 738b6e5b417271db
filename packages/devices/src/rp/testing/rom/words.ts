/** The words of the genuine boot ROM of an RP2040 (B1), from the file that `RP2040_BOOTROM` names. They are nowhere in this repository. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const words = 4_096;
const hash = '90b31e108faedfa6bbcfcc33ba05dac61e645108cfbbdc385f8dafc71fde44ae';

/**
 * Returns the words; null without the variable or its file. The file has 16,384 bytes, or the words as hexadecimal
 * numbers in a text.
 * @throws Error if the file is not that ROM.
 */
export function bootRomWords(): Uint32Array | null {
  const path = process.env['RP2040_BOOTROM'];
  if (path === undefined || !existsSync(path)) {
    return null;
  }
  const file = readFileSync(path);
  const bytes = file.length === words * 4 ? new Uint8Array(file) : bytesOf(file.toString('latin1'));
  if (createHash('sha256').update(bytes).digest('hex') !== hash) {
    throw new Error(`RP2040_BOOTROM names a file that is not the boot ROM of an RP2040 (B1): ${path}`);
  }
  return new Uint32Array(bytes.buffer, bytes.byteOffset, words);
}

function bytesOf(text: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(words * 4));
  for (const [index, [, digits]] of [...text.matchAll(/0x([0-9a-f]{1,8})\b/gi)].slice(0, words).entries()) {
    view.setUint32(index * 4, Number.parseInt(digits ?? '0', 16), true);
  }
  return new Uint8Array(view.buffer);
}
