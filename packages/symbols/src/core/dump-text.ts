/**
 * Core dumps as firmware prints them: lines of Base64 between two marks (ESP-IDF, `core_dump_uart.c`). Each line is encoded on its own, so a line may
 * end with `=` in the middle of a dump.
 */
import { CoreDumpError } from './core-failure.ts';
import { joined } from './joined-bytes.ts';

const START = /=+ CORE DUMP START =+/;
const END = /=+ CORE DUMP END =+/;
const BASE64_LINE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Colours and other escape sequences that a log may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b\[[0-9;]*m/g;

/** The bytes of the last whole dump in a text. Throws a `CoreDumpError`: `no-dump`, or `truncated` for one without an end. */
export function bytesOfText(text: string): Uint8Array {
  const lines = text.replaceAll(ESCAPES, '').split(/\r?\n/);
  const end = lastMatch(lines, END, lines.length);
  const start = lastMatch(lines, START, end < 0 ? lines.length : end);
  if (start >= 0 && end < 0) {
    throw new CoreDumpError('truncated');
  }
  const within = start >= 0 ? lines.slice(start + 1, end) : lines;
  const encoded = within.map((line) => line.trim()).filter((line) => line !== '');
  // What another processor printed in between is left out: the checksum says whether anything is missing.
  const parts = encoded.filter((line) => BASE64_LINE.test(line));
  if (parts.length === 0 || (start < 0 && parts.length !== encoded.length)) {
    throw new CoreDumpError('no-dump');
  }
  return joined(parts.map(decoded));
}

/** The index of the last line before `before` that matches, or -1. */
function lastMatch(lines: readonly string[], pattern: RegExp, before: number): number {
  let at = before - 1;
  while (at >= 0 && !pattern.test(lines[at] ?? '')) {
    at -= 1;
  }
  return at;
}

function decoded(line: string): Uint8Array {
  return Uint8Array.from(atob(line), (character) => character.charCodeAt(0));
}
