/** Divides pasted text into messages. */
import { parseHexInput } from '@wirebench/serial';
import type { TypedAs } from './send-message.ts';

/**
 * Returns the lines of pasted text. Empty lines at the end are left out. Hex: lines without bytes, such as comments,
 * are left out.
 */
export function pastedLines(text: string, { mode }: Pick<TypedAs, 'mode'>): readonly string[] {
  const content = mode === 'hex' ? text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ') : text;
  const lines = content.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/);
  return mode === 'hex' ? lines.filter((line) => parseHexInput(line)?.bytes.length !== 0) : lines;
}

/** Joins lines to one message. */
export function joinedLines(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join(' ');
}
