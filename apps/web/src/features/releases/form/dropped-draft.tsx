import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';

export interface DroppedDraftProps {
  /** Content of the form when it was cancelled; null for none. */
  readonly dropped: object | null;
  readonly onRestore: () => void;
}

/** Offers to restore the content of a cancelled form. */
export function DroppedDraft({ dropped, onRestore }: DroppedDraftProps) {
  return dropped === null ? null : (
    <Notice
      level="info"
      title="You discarded a draft."
      action={
        <Button size="sm" onClick={onRestore}>
          Restore it
        </Button>
      }
    />
  );
}
