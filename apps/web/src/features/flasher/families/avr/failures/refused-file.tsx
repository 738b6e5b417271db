import { Trash2 } from 'lucide-react';
import { FailureCard, MainWayButton } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import { removeAllFiles } from '../../../store/file-actions.ts';

/** Shown if the files are not for this board: refused before anything was erased. */
export function RefusedFile(props: FailureProps) {
  const { port, failure, topic } = props;
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge="File"
      steps={remedy === null ? [] : [{ title: remedy }]}
      actions={
        <>
          <MainWayButton icon={<Trash2 />} onPress={() => void removeAllFiles()}>
            Remove the files
          </MainWayButton>
          <TryAgain {...props} words="Try again" secondary />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
