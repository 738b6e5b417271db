/** Finding in guides as they are shown. Knows texts and anchors, no component. */

/** A stretch of text under one heading. */
export interface DocsPassage {
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

/** The passages of an article: each `h2` and `h3` with an anchor begins one. */
export function passagesIn(article: HTMLElement): DocsPassage[] {
  const passages: DocsPassage[] = [];
  for (const section of article.querySelectorAll<HTMLElement>('section[id]')) {
    const title = section.querySelector('h2')?.dataset['title'] ?? '';
    let current = { id: section.id, heading: title, section: title, text: '' };
    for (const child of section.children) {
      if (child.tagName === 'H2') {
        continue;
      }
      if (child.tagName === 'H3') {
        passages.push(current);
        current = { id: child.id, heading: child.getAttribute('data-title') ?? '', section: title, text: '' };
        continue;
      }
      current.text += ` ${textOf(child)}`;
    }
    passages.push(current);
  }
  return passages.map((passage) => ({ ...passage, text: passage.text.replace(/\s+/g, ' ').trim() }));
}

/** With a space between blocks, which `textContent` leaves out. */
function textOf(element: Element): string {
  return element.children.length === 0
    ? (element.textContent ?? '')
    : Array.from(element.childNodes, (node) =>
        node instanceof Element ? ` ${textOf(node)} ` : (node.textContent ?? ''),
      ).join('');
}
