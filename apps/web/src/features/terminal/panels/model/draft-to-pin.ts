/** What is in the send field → the text of a pinned message, which is text or hex and knows no escapes. */
import { encodeEscaped, hexText } from '@wirebench/serial';
import type { Message } from '../../send/send-message.ts';
import type { MessageText } from './pinned-message.ts';

export type DraftToPin =
  | { readonly ok: true; readonly text: MessageText }
  | { readonly ok: false; readonly reason: string };

/**
 * Text and hex stay as they were typed. Text with escapes becomes the bytes that it stands for, the line ending after them, as
 * a panel adds none to hex.
 */
export function draftToPin({ text, mode, lineEnding }: Message): DraftToPin {
  if (mode === 'hex' || mode === 'text' || !text.includes('\\')) {
    return { ok: true, text: { content: text, type: mode === 'hex' ? 'hex' : 'ascii' } };
  }
  const encoded = encodeEscaped(text, lineEnding);
  return encoded.ok
    ? { ok: true, text: { content: hexText(encoded.bytes), type: 'hex' } }
    : { ok: false, reason: encoded.message };
}
