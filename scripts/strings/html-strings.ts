/** Extracts the text that people read or hear from HTML: text nodes and a few attributes. */
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { hasWords, oneLine, type VisibleString } from './prose.ts';

type Node = DefaultTreeAdapterTypes.Node;

const spokenAttributes = new Set(['alt', 'title', 'placeholder', 'aria-label']);
const silentElements = new Set(['script', 'style', 'template']);
/** Inline elements, which belong to the sentence around them. */
const inlineElements = new Set([
  'a',
  'abbr',
  'b',
  'br',
  'code',
  'em',
  'i',
  'kbd',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
]);

const isSentencePart = (node: Node): boolean =>
  node.nodeName === '#text' || ('tagName' in node && inlineElements.has(node.tagName));

function textOf(node: Node): string {
  if ('value' in node) {
    return node.value;
  }
  if (node.nodeName === 'br') {
    return ' ';
  }
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function attributeTexts(node: Node): string[] {
  if (!('attrs' in node)) {
    return [];
  }
  const isDescription = node.attrs.some(
    ({ name, value }) => /^(name|property)$/.test(name) && /description$/.test(value),
  );
  return node.attrs
    .filter(({ name }) => spokenAttributes.has(name) || (name === 'content' && isDescription))
    .map(({ value }) => value);
}

function collect(node: Node, offset: number, found: { offset: number; text: string }[]): void {
  if (silentElements.has(node.nodeName)) {
    return;
  }
  const at = ('sourceCodeLocation' in node ? node.sourceCodeLocation?.startOffset : undefined) ?? offset;
  found.push(...attributeTexts(node).map((text) => ({ offset: at, text })));
  if (!('childNodes' in node)) {
    return;
  }
  // With scripting disabled the parser reads the content of `noscript` as elements.
  let sentence: Node[] = [];
  const end = () => {
    const first = sentence[0];
    if (first !== undefined) {
      const start = ('sourceCodeLocation' in first ? first.sourceCodeLocation?.startOffset : undefined) ?? at;
      found.push({ offset: start, text: sentence.map(textOf).join('') });
    }
    sentence = [];
  };
  for (const child of node.childNodes) {
    if (isSentencePart(child)) {
      sentence.push(child);
    } else {
      end();
    }
    if (child.nodeName !== '#text') {
      const inner: { offset: number; text: string }[] = [];
      collect(child, at, inner);
      // The sentence already holds the text of an inline element, but not its attributes.
      found.push(...(isSentencePart(child) ? inner.filter(({ text }) => !textOf(child).includes(text)) : inner));
    }
  }
  end();
}

/** Returns true if a string of a source contains an HTML element. */
export const isHtml = (text: string): boolean =>
  text.includes('<') && parseFragment(text).childNodes.some((node) => node.nodeName !== '#text');

/**
 * Returns the strings of a document or fragment, in line order.
 *
 * @param firstLine Line on which `html` begins.
 */
export function stringsOfHtml(html: string, firstLine = 1): VisibleString[] {
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false } as const;
  const tree = /<html/i.test(html) ? parse(html, options) : parseFragment(html, options);
  const found: { offset: number; text: string }[] = [];
  collect(tree, 0, found);
  return found
    .filter(({ text }) => hasWords(text))
    .map(({ offset, text }) => ({
      line: firstLine + html.slice(0, offset).split('\n').length - 1,
      text: oneLine(text),
    }))
    .sort((one, other) => one.line - other.line);
}
