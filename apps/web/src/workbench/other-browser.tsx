/** Ways on for a browser without serial ports: the words for it, the phone's share sheet, and the link of the page. */
import { type LackingBrowser, lackingBrowser, lackingWords, phoneKind } from '@wirebench/port/browser-support';
import { Copy, Send } from 'lucide-react';
import { copyText } from '../shared/files/copy-text.ts';
import { Button } from '../shared/ui/button.tsx';

/** The main way on, and its words. */
export interface OtherBrowserWay {
  readonly kind: LackingBrowser;
  /** Names what is needed and the next step. */
  readonly text: string;
  /** The next step alone. */
  readonly remedy: string;
  /** True: the phone's share sheet can send the link to a computer. */
  readonly canSend: boolean;
}

export function otherBrowserWay(): OtherBrowserWay {
  const kind = lackingBrowser();
  const { what, remedy } = lackingWords[kind];
  return { kind, text: `${what} ${remedy}`, remedy, canSend: phoneKind() !== null && 'share' in navigator };
}

/** Opens the phone's share sheet with the page. Call it from a click. */
export async function sendPage(address: string = location.href): Promise<void> {
  try {
    await navigator.share({ title: document.title, url: address });
  } catch (error) {
    // A person who closes the sheet has decided.
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      await copyLink(address);
    }
  }
}

export const copyLink = (address: string = location.href): Promise<void> => copyText(address, 'Link copied');

/** Buttons that take the page to a computer or another browser. */
export function OtherBrowserButtons() {
  const { canSend } = otherBrowserWay();
  return (
    <>
      {canSend ? (
        <Button variant="primary" size="lg" icon={<Send />} onClick={() => void sendPage()}>
          Send to a computer
        </Button>
      ) : null}
      <Button variant={canSend ? 'default' : 'primary'} size="lg" icon={<Copy />} onClick={() => void copyLink()}>
        Copy the link
      </Button>
    </>
  );
}
