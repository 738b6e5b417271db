/** Writes the content of a decoder for people: short parts on one line. Indented in full, a decoder of many messages would exceed the largest JKit. */
import { jkitLimits } from '@wirebench/contract/constants';

/** Longest line in characters. */
const width = 120;

/** Returns JSON text that ends with a line feed; without line breaks if it would be too large with them. */
export function decoderText(content: object): string {
  const text = `${broken(content, '')}\n`;
  return new TextEncoder().encode(text).length > jkitLimits.contentSize ? JSON.stringify(content) : text;
}

function format(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  const fits = indent.length + flat.length <= width;
  return fits || typeof value !== 'object' || value === null ? flat : broken(value, indent);
}

/** Returns each part of a list or an object on a line of its own. */
function broken(value: object, indent: string): string {
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((part) => `${inner}${format(part, inner)}`)
    : Object.entries(value).map(([name, part]) => `${inner}${JSON.stringify(name)}: ${format(part, inner)}`);
  const lines = `\n${parts.join(',\n')}\n${indent}`;
  return isList ? `[${lines}]` : `{${lines}}`;
}
