/**
 * Short summary of a JKit's content for its row. Reads leniently and without the chip checker, whose code few rows
 * need.
 */
import type { Jkit } from '@wirebench/contract';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { hexNumber } from '../../../shared/format/hex.ts';
import { shownContent } from './jkit-messages.ts';

/** Returns a summary such as `6 messages, CRLF`, `9 messages, 7 hex` or `BME280, Sensors, 0x76 0x77`. */
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

/** Formats an I2C address as `0x76`. Returns null for an invalid one. */
function addressText(address: unknown): string | null {
  const value = typeof address === 'string' || typeof address === 'number' ? Number(address) : Number.NaN;
  return Number.isInteger(value) && value >= 0 && value < 128 ? hexNumber(value) : null;
}
