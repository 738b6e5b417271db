/**
 * Converts the content of the send field to the text of a pinned message. A pinned message is text or hex and has no
 * escapes.
 */

import type { MessageText } from '@wirebench/runs';
import { encodeEscaped, hexText } from '@wirebench/serial';
import type { Message } from '../../send/send-message.ts';

export type DraftToPin =
  | { readonly ok: true; readonly text: MessageText }
  | { readonly ok: false; readonly reason: string };

/**
 * Returns text and hex unchanged. Text with escapes becomes hex bytes that include the line ending, because a panel
 * appends no ending to hex.
 */
export function draftToPin({ text, mode, lineEnding }: Message): DraftToPin {
  if (mode === 'frame') {
    return { ok: false, reason: 'This is no frame yet. Press Enter to see why.' };
  }
  if (mode === 'hex' || mode === 'text' || !text.includes('\\')) {
    return { ok: true, text: { content: text, type: mode === 'hex' ? 'hex' : 'ascii' } };
  }
  const encoded = encodeEscaped(text, lineEnding);
  return encoded.ok
    ? { ok: true, text: { content: hexText(encoded.bytes), type: 'hex' } }
    : { ok: false, reason: encoded.message };
}
