import { FailureCard } from '../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions, wordsOf } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** Shows one sentence about the failure and one about the remedy, if no drawing and no further button helps. */
export function PlainFailure(props: FailureProps) {
  const { title, remedy } = wordsOf(props.failure);
  return (
    <FailureCard
      topic={props.topic}
      title={title}
      steps={remedy === null ? [] : [{ title: remedy }]}
      actions={<UsualActions {...props} />}
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
