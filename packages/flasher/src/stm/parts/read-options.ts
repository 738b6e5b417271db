/** Describes option bytes for people: name, value, meaning. */
import { hexNumber, viewOf } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';
import type { StmOptionBytes } from '../stm-board.ts';
import type { StmFamilyName } from './families.ts';
import { type OptionField, optionFields } from './option-fields.ts';

/** @param bytes Bytes at `range`. Fields beyond them are left out. */
export function describeOptions(family: StmFamilyName, range: FlashRange, bytes: Uint8Array): StmOptionBytes {
  const known: readonly OptionField[] = optionFields[family];
  const fields = known.flatMap((field) => {
    const value = fieldValue(field, bytes);
    if (value === null) {
      return [];
    }
    const meaning = field.meanings[value] ?? field.meanings.other ?? 'Not documented';
    const text = field.width === 1 ? String(value) : hexNumber(value);
    return [{ name: field.name, value: text, meaning }];
  });
  return { ...range, bytes, fields };
}

function fieldValue({ at, bit, width }: OptionField, bytes: Uint8Array): number | null {
  const end = at + Math.ceil((bit + width) / 8);
  if (end > bytes.length) {
    return null;
  }
  const view = viewOf(bytes);
  let value = 0;
  for (let index = end - 1; index >= at; index--) {
    value = value * 256 + view.getUint8(index);
  }
  return Math.floor(value / 2 ** bit) % 2 ** width;
}
