/** The stack of a task as rows of four words, with the functions whose frames begin in each row. */
import type { ReportedTask } from '@wirebench/symbols';
import { frameName } from './dump-text.ts';

export interface StackRow {
  readonly address: number;
  readonly words: readonly number[];
  /** Printable characters. A dot replaces others. */
  readonly text: string;
  /** Functions whose frames begin in this row, innermost first. */
  readonly frames: readonly string[];
}

const ROW = 16;

export function stackRows({ memory, frames }: ReportedTask): readonly StackRow[] {
  if (memory === null) {
    return [];
  }
  const { address: start, bytes } = memory;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.floor(bytes.length / ROW) }, (_, index) => {
    const at = index * ROW;
    const address = start + at;
    return {
      address,
      words: [0, 4, 8, 12].map((offset) => view.getUint32(at + offset, true)),
      text: Array.from(bytes.subarray(at, at + ROW), (byte) =>
        byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
      ).join(''),
      frames: frames.filter(({ sp }) => sp >= address && sp < address + ROW).map(frameName),
    };
  });
}
