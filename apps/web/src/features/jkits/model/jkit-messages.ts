/** Reads a JKit's content for the preview. The panel has its own rules for loading it. */
import { fieldsOf, parseJson } from '@wirebench/contract/json';

interface ShownMessage {
  readonly content: string;
  readonly type: 'ascii' | 'hex';
  /** Name of the message; empty without one. */
  readonly label: string;
  /** Example: `waits for OK`, `then 500 ms`, `3 times`. */
  readonly notes: readonly string[];
}

export interface ShownContent {
  readonly messages: readonly ShownMessage[];
  readonly ending: 'LF' | 'CRLF' | 'CR' | 'no line ending';
}

/**
 * Returns the messages and the line ending. Invalid entries are left out. Unreadable content has no messages, and
 * loading it reports why.
 */
export function shownContent(content: string): ShownContent {
  const root = fieldsOf(parseJson(content));
  const entries: readonly unknown[] = Array.isArray(root['fields']) ? root['fields'] : [];
  const { lineEnding, ending } = fieldsOf(root['settings']);
  return {
    messages: entries.map(shownMessage).filter((message) => message !== null),
    ending: ending === 'cr' ? 'CR' : ending === 'none' ? 'no line ending' : lineEnding === true ? 'CRLF' : 'LF',
  };
}

function shownMessage(entry: unknown): ShownMessage | null {
  const fields = typeof entry === 'string' ? { content: entry } : fieldsOf(entry);
  const { content, type, label, expect, delayMs, repeat } = fields as Record<string, unknown>;
  if (typeof content !== 'string') {
    return null;
  }
  const awaited = typeof expect === 'string' ? expect : fieldsOf(expect)['content'];
  return {
    content,
    type: type === 'hex' ? 'hex' : 'ascii',
    label: typeof label === 'string' ? label : '',
    notes: [
      ...(typeof repeat === 'number' && repeat > 1 ? [`${repeat} times`] : []),
      ...(typeof awaited === 'string' ? [`waits for ${awaited.trim() || 'a space'}`] : []),
      ...(typeof delayMs === 'number' && delayMs > 0 ? [`then ${delayMs} ms`] : []),
    ],
  };
}
