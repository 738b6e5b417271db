/** A message as it is quoted in a sentence. */
import { type MessageText, shownContent } from './pinned-message.ts';

/** Characters of a message that a sentence can carry. */
const most = 40;

/** Its beginning when it is long. */
export function quoted(text: MessageText): string {
  const content = shownContent(text);
  return `"${content.length > most ? `${content.slice(0, most - 1)}…` : content}"`;
}
