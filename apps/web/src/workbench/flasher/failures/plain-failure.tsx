import { FailureCard } from '../failure-card.tsx';
import { pageFamily } from '../store/flasher-store.ts';
import { BoardIsLeft, UsualActions } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** What happened and what to do next, in one sentence each: where no drawing and no other button helps. */
export function PlainFailure(props: FailureProps) {
  const { failure } = props;
  const text = failure.code === null ? undefined : pageFamily().failures[failure.code];
  return (
    <FailureCard
      topic={props.topic}
      title={(text?.what ?? failure.message).replace(/\.$/, '')}
      actions={<UsualActions {...props} />}
      {...(text === undefined ? {} : { steps: [{ title: text.remedy }] })}
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
