/** Quotes a message inside a sentence. */
import { type MessageDraft, type MessageText, messageName } from './pinned-message.ts';

/** Longest quotation, in characters. */
const most = 40;

/** Returns the label or the content of the message in quotation marks, truncated if it is long. */
export function quoted({ label = '', ...text }: MessageText & Partial<Pick<MessageDraft, 'label' | 'hidden'>>): string {
  const name = messageName({ ...text, label });
  return `"${name.length > most ? `${name.slice(0, most - 1)}…` : name}"`;
}
