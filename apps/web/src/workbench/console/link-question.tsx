import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import styles from './link-question.module.css';

export interface LinkQuestionProps {
  readonly address: string;
  readonly onClose: () => void;
}

/** Asks before a link of the log is opened: a board wrote it, and it may lead anywhere. */
export function LinkQuestion({ address, onClose }: LinkQuestionProps) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Open this link?"
      text="The board wrote this address. It opens in a new tab."
      action="Open"
      harmless
      besides={
        <Button
          onClick={() => {
            void copyText(address, 'Address copied');
            onClose();
          }}
        >
          Copy address
        </Button>
      }
      onConfirm={() => {
        window.open(address, '_blank', 'noopener,noreferrer');
        onClose();
      }}
    >
      <code className={styles['address']}>{address}</code>
    </ConfirmDialog>
  );
}
