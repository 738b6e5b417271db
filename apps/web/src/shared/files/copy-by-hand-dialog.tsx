import { useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/text-input.tsx';
import { textToCopy } from './text-to-copy.ts';

/** The dialog of `CopyByHand`. Loaded when the browser first refuses access to the clipboard. */
export function CopyByHandDialog() {
  const { text, reason } = useStore(textToCopy);
  const area = useRef<HTMLTextAreaElement>(null);
  const close = () => textToCopy.setState({ text: null, reason: '' });
  return (
    <Dialog
      open={text !== null}
      onClose={close}
      title="Copy it by hand"
      initialFocus={area}
      footer={
        <Button variant="primary" onClick={close}>
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
