import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/text-input.tsx';
import { dropTextToCopy, useTextToCopy } from './text-to-copy.ts';

/** The dialog of `CopyByHand`. Loaded when the browser first refuses access to the clipboard. */
export function CopyByHandDialog() {
  const { text, reason } = useTextToCopy();
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      open={text !== null}
      onClose={dropTextToCopy}
      title="Copy it by hand"
      initialFocus={area}
      footer={
        <Button variant="primary" onClick={dropTextToCopy}>
          Done
        </Button>
      }
    >
      <p>{reason} The text below is selected: press Ctrl+C, or ⌘C on a Mac.</p>
      <TextArea
        ref={area}
        readOnly
        aria-label="Text to copy"
        rows={6}
        value={text ?? ''}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
    </Dialog>
  );
}
