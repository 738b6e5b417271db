/** Formats descriptions for people: indented, with addresses, masks and ids in hex as in data sheets. */
import { jkitLimits } from '@wirebench/contract/constants';
import { isRecord, parseJson } from '@wirebench/contract/json';
import { hexNumber } from '../../../shared/format/hex.ts';

const hexKeys: ReadonlySet<string> = new Set(['address', 'addresses', 'mask', 'reset']);

/**
 * Returns the formatted description. Returns `text` unchanged if it is invalid JSON or the result would exceed the
 * maximum content size.
 */
export function readableDescription(text: string): string {
  const parsed = parseJson(text);
  const readable = isRecord(parsed) ? `${JSON.stringify(parsed, hexed, 2)}\n` : text;
  return new TextEncoder().encode(readable).length > jkitLimits.contentSize ? text : readable;
}

function hexed(this: unknown, key: string, value: unknown): unknown {
  const isId = key === 'value' && isRecord(this) && 'register' in this;
  if (!(hexKeys.has(key) || isId)) {
    return value;
  }
  return Array.isArray(value) ? value.map(hexOf) : hexOf(value);
}

function hexOf(value: unknown): unknown {
  const isWhole = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;
  return isWhole ? hexNumber(value) : value;
}

/** Initial text of the editor: the smallest description with a reading. */
export const emptyDescription = readableDescription(
  JSON.stringify({
    name: 'My chip',
    category: 'Custom ICs',
    bus: 'i2c',
    addresses: [0x48],
    registers: [{ name: 'value', address: 0x00, width: 16, description: 'What it measures' }],
    readings: [{ name: 'Value', formula: 'value / 256', unit: '', decimals: 2 }],
  }),
);
