/**
 * Short summary of a JKit's content for its row. Reads leniently and without the checks of chips and decoders, whose
 * code few rows need.
 */
import type { Jkit } from '@wirebench/contract';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { hexNumber } from '../../../shared/format/hex.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { shownContent } from './jkit-messages.ts';

/**
 * Returns a summary such as `6 messages, CRLF`, `9 messages, 7 hex`, `BME280, Sensors, 0x76 0x77` or
 * `motor, 3 messages, 2 files`.
 */
export function contentSummary({ type, content }: Pick<Jkit, 'type' | 'content'>): string {
  return summaries[type](content);
}

const summaries = {
  uart: messagesSummary,
  chip: chipSummary,
  decoder: decoderSummary,
} satisfies Record<Jkit['type'], (content: string) => string>;

function decoderSummary(content: string): string {
  const { name, messages, registers, files } = fieldsOf(parseJson(content));
  const counts = [countOf(messages, 'message'), countOf(registers, 'register'), countOf(files, 'file')];
  return [name, ...counts].filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/** Returns `3 messages`; an empty text for none. */
const countOf = (list: unknown, word: string) =>
  Array.isArray(list) && list.length > 0 ? counted(list.length, word) : '';

function messagesSummary(content: string): string {
  const { messages, ending } = shownContent(content);
  const hex = messages.filter(({ type }) => type === 'hex').length;
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`;
  return `${count}, ${hex === 0 ? ending : hex === messages.length ? 'all hex' : `${hex} hex`}`;
}

function chipSummary(content: string): string {
  const { name, category, bus, addresses } = fieldsOf(parseJson(content));
  const places = Array.isArray(addresses) ? addresses.map(addressText).filter((text) => text !== null) : [];
  const parts = [name, category, bus === 'spi' ? 'SPI' : places.join(' ')];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/** Formats an I2C address as `0x76`. Returns null for an invalid one. */
function addressText(address: unknown): string | null {
  const value = typeof address === 'string' || typeof address === 'number' ? Number(address) : Number.NaN;
  return Number.isInteger(value) && value >= 0 && value < 128 ? hexNumber(value) : null;
}
