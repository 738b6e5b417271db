/** Finds addresses of web pages in the text of a row. Only http and https are links. */
import type { Span } from './marked-runs.ts';

/** Scheme, the first character of a host, and everything that may be in an address (RFC 3986, with Unicode). */
const address = /(?<![\p{L}\p{N}_])https?:\/\/[\p{L}\p{N}[][^\s<>"'`{}|\\^\p{Cc}]*/giu;
const scheme = '://';
/** Characters that end a sentence rather than an address. */
const punctuation = new Set('.,;:!?*_~…');

/** Returns the links in `text` in order, in time linear to its length. */
export function linksIn(text: string): readonly Span[] {
  if (!text.includes(scheme)) {
    return [];
  }
  const links: Span[] = [];
  for (const match of text.matchAll(address)) {
    const length = lengthOf(match[0]);
    if (isAddress(match[0].slice(0, length))) {
      links.push({ start: match.index, end: match.index + length });
    }
  }
  return links;
}

/** `URL.canParse` is missing before Chromium 120. */
function isAddress(text: string): boolean {
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}

/** Returns the whole address of the link at a unit of `text`, as a browser opens it. Null: there is no link. */
export function linkAt(text: string, unit: number): string | null {
  const link = linksIn(text).find(({ start, end }) => start <= unit && unit <= end);
  return link === undefined ? null : new URL(text.slice(link.start, link.end)).href;
}

/** Returns the length without trailing punctuation. A closing bracket stays if the address opens it. */
function lengthOf(found: string): number {
  const surplus = { ')': 0, ']': 0 };
  for (const character of found) {
    if (character === ')' || character === ']') {
      surplus[character]++;
    } else if (character === '(') {
      surplus[')']--;
    } else if (character === '[') {
      surplus[']']--;
    }
  }
  let end = found.length;
  for (; end > 0; end--) {
    const last = found[end - 1] ?? '';
    if ((last === ')' || last === ']') && surplus[last] > 0) {
      surplus[last]--;
    } else if (!punctuation.has(last)) {
      break;
    }
  }
  return end;
}
