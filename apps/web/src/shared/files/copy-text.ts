/** Copies text to the clipboard. Without access to it, the text is offered for copying by hand (`copy-by-hand.tsx`). */
import { toast } from '../ui/toast.ts';
import { offerTextToCopy } from './text-to-copy.ts';

/** Maximum number of characters to copy by hand. A field with more takes seconds to open. */
const maxByHand = 1_000_000;

/** Copies `text` and confirms with the toast `done`. On failure, shows the reason and offers the text, selected. */
export async function copyText(text: string, done: string): Promise<void> {
  const refused = await writeClipboard(text);
  if (refused === null) {
    toast(done);
  } else {
    offer(text, refused);
  }
}

/** Copies `text`. Returns null, or the reason why it was not copied. */
export async function writeClipboard(text: string): Promise<string | null> {
  // Undefined on a page from another machine over plain http, contrary to its type.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) {
    return 'Only a page opened over https or from localhost may use the clipboard.';
  }
  try {
    await clipboard.writeText(text);
    return null;
  } catch (error) {
    console.warn('The browser refused the clipboard.', error);
    return 'The browser refused access to the clipboard.';
  }
}

/**
 * Puts a text that is still being made into the clipboard. Call it in the event of a click or a key: browsers allow
 * the clipboard only then.
 *
 * @param done Text shown after success.
 * @throws The failure of `text`.
 */
export async function copyLater(text: Promise<Blob>, done: () => string): Promise<void> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard?.write === undefined || typeof ClipboardItem === 'undefined') {
    const made = await text;
    await copyText(await made.text(), done());
    return;
  }
  try {
    await clipboard.write([new ClipboardItem({ 'text/plain': text })]);
  } catch (error) {
    const made = await text;
    console.warn('The browser refused the clipboard.', error);
    offer(await made.text(), 'The browser refused access to the clipboard.');
    return;
  }
  toast(done());
}

function offer(text: string, reason: string): void {
  if (text.length > maxByHand) {
    toast('Nothing was copied, and this is too much to copy by hand.', {
      level: 'error',
      detail: `${reason} Export it to a file instead.`,
    });
  } else {
    offerTextToCopy(text, reason);
  }
}
