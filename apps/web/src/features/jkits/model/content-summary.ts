/** What is in a jkit, in a few words for its row. Read leniently and without the check of chips, which few rows need. */
import type { Jkit } from '@wirebench/contract';
import { hexNumber } from '../../../shared/format/hex.ts';
import { fieldsOf, parseJson } from '../../../shared/json.ts';
import { shownContent } from './jkit-messages.ts';

/** `6 messages, CRLF`; `9 messages, 7 hex`; `22 messages, all hex`; `BME280, Sensors, 0x76 0x77`. */
export function contentSummary({ type, content }: Pick<Jkit, 'type' | 'content'>): string {
  return type === 'chip' ? chipSummary(content) : messagesSummary(content);
}

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

/** `0x76`, however it is written; null for what is none. */
function addressText(address: unknown): string | null {
  const value = typeof address === 'string' || typeof address === 'number' ? Number(address) : Number.NaN;
  return Number.isInteger(value) && value >= 0 && value < 128 ? hexNumber(value) : null;
}
