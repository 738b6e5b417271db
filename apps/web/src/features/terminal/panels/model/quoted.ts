/** Quotes a message inside a sentence. */
import { type MessageText, shownContent } from './pinned-message.ts';

/** Longest quotation, in characters. */
const most = 40;

/** Returns the message in quotation marks, truncated if it is long. */
export function quoted(text: MessageText): string {
  const content = shownContent(text);
  return `"${content.length > most ? `${content.slice(0, most - 1)}…` : content}"`;
}
