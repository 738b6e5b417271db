/** The passages of the guides, which the build collects, and the search in them by words. */
import type { GuideName } from './docs-links.ts';
import { type DocsDocument, type DocsNode, type DocsRow, pagesOf, withValues } from './docs-model.ts';

/** A stretch of text under one heading. */
export interface DocsPassage {
  /** Name of the guide. */
  readonly guide: GuideName;
  /** Title of the page; empty for the guide's first page. */
  readonly page: string;
  /** Anchor of the heading. */
  readonly id: string;
  readonly heading: string;
  /** Heading of the section that it is in; the same for the section itself. */
  readonly section: string;
  readonly text: string;
}

export interface DocsHit<Passage extends DocsPassage = DocsPassage> {
  readonly passage: Passage;
  /** Some words around the first place that was found. */
  readonly excerpt: string;
}

const EXCERPT = 90;
const MAX_HITS = 20;

/** Words that people type for what the guides call by another name. A word that the guides use themselves is found as well. */
const synonyms: readonly (readonly string[])[] = [
  ['ctrl-c', 'ctrl+c', 'ctrl c', '^c', 'sigint', 'control-c', 'control characters', 'escape sequences', 'interrupt'],
  ['micropython', 'circuitpython', 'repl', 'prompt', 'python'],
  ['vt100', 'vt220', 'xterm', 'ansi', 'escape sequence', 'terminal emulation', 'colours'],
  ['baudrate', 'baud rate', 'bit rate', 'bps', 'speed'],
  ['colour', 'color'],
  ['autoscroll', 'auto-scroll'],
  ['timestamp', 'time stamp', 'times'],
  ['hotkey', 'shortcut', 'key binding'],
  ['logging', 'record', 'recording', 'export'],
  ['esptool', 'flash', 'flasher'],
  ['brownout', 'brown-out'],
  ['bootloader', 'boot mode', 'download mode', 'dfu'],
  ['gpio', 'pin'],
  ['logic analyser', 'logic analyzer', 'capture'],
  ['backtrace', 'stack trace', 'crash', 'panic'],
  ['coredump', 'core dump'],
];

/** `word` and what the guides may call it. A beginning of at least three letters stands for its word. */
function namesOf(word: string): readonly string[] {
  const begun = (name: string) => name === word || (word.length >= 3 && name.startsWith(word));
  return [word, ...synonyms.filter((group) => group.some(begun)).flat()];
}

/**
 * Passages that have all words of `query` or their synonyms, in part and in any case. Those with a typed word in the heading come first,
 * those that have synonyms alone come last.
 */
export function searchDocs<Passage extends DocsPassage>(
  passages: readonly Passage[],
  query: string,
): DocsHit<Passage>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const names = new Map(words.map((word) => [word, namesOf(word)]));
  if (words.length === 0) {
    return [];
  }
  const textOfAll = ({ heading, text }: DocsPassage) => `${heading} ${text}`.toLowerCase();
  const inHeading = ({ heading }: DocsPassage) => words.some((word) => heading.toLowerCase().includes(word));
  const rank = (passage: Passage): number => {
    const all = textOfAll(passage);
    return words.every((word) => all.includes(word)) ? (inHeading(passage) ? 0 : 1) : 2;
  };
  return passages
    .filter((passage) => {
      const all = textOfAll(passage);
      return words.every((word) => names.get(word)?.some((name) => all.includes(name)));
    })
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MAX_HITS)
    .map((passage) => ({
      passage,
      excerpt: excerptOf(passage.text, rank(passage) < 2 ? words : [...names.values()].flat()),
    }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), text.length),
  );
  const start = at > EXCERPT / 3 ? text.indexOf(' ', at - EXCERPT / 3) + 1 : 0;
  const end = start + EXCERPT < text.length ? text.lastIndexOf(' ', start + EXCERPT) : text.length;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

/** Returns the passages of a guide: each heading with an anchor begins one. */
export function passagesOf(guide: GuideName, document: DocsDocument): DocsPassage[] {
  const [first, ...others] = pagesOf(document);
  return [first, ...others].flatMap(({ title, sections }, index) =>
    sections.flatMap((section) => {
      const page = index === 0 ? '' : title;
      const passages: DocsPassage[] = [];
      let current = { guide, page, id: section.id, heading: section.title, section: section.title, text: '' };
      for (const node of section.body) {
        if (node[0] === 'h3') {
          passages.push(current);
          current = { ...current, id: node[1], heading: withValues(node[2], document.values), text: '' };
        } else {
          current.text += ` ${textOf(node, document)}`;
        }
      }
      return [...passages, current].map((passage) => ({ ...passage, text: spaced(passage.text) }));
    }),
  );
}

const spaced = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,:;)])/g, '')
    .trim();

/** Returns the text of a node, with a space between blocks. */
function textOf(node: DocsNode, document: DocsDocument): string {
  if (typeof node === 'string') {
    return withValues(node, document.values);
  }
  const inside = (nodes: readonly DocsNode[], between: string) =>
    nodes.map((each) => textOf(each, document)).join(between);
  switch (node[0]) {
    case 'a':
      return inside(node.slice(2) as DocsNode[], '');
    case 'h3':
    case 'video':
      return withValues(node[2] as string, document.values);
    case 'pre':
    case 'img':
      return withValues(node.slice(node[0] === 'pre' ? 2 : 3).join(' '), document.values);
    case 'table': {
      const [, , , data, head, ...own] = node;
      const rows: readonly DocsRow[] = [...(document.rows[data] ?? []), ...own];
      return [head.join(' '), ...rows.map((row) => inside(row, ' '))].join(' ');
    }
    case 'ul':
    case 'ol':
    case 'steps':
      return inside(node.slice(1) as DocsNode[], ' ');
    default:
      return inside(node.slice(1) as DocsNode[], '');
  }
}
