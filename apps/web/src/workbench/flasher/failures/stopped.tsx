import { boardStateText } from '@wirebench/flasher/core';
import { Notice } from '../../../shared/ui/notice.tsx';
import { FailureCard } from '../failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** The person has stopped it. Whether the board can be used as it is depends on how far it was. */
export function Stopped(props: FailureProps) {
  const { failure, port } = props;
  if (failure.state !== 'incomplete') {
    return (
      <Notice
        level={failure.state === 'unchanged' ? 'info' : 'warning'}
        title="Stopped."
        // Who stopped a write before its first byte is asked again before anything is written.
        action={<TryAgain port={port} failure={{ ...failure, interrupted: false }} words="Connect again" />}
      >
        {boardStateText[failure.state]}
      </Notice>
    );
  }
  return (
    <FailureCard
      topic={props.topic}
      title="Stopped in the middle of the write"
      badge="Not complete"
      actions={
        <>
          <TryAgain {...props} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
      <p>What is already written is kept. Write the rest continues from there, now or later.</p>
    </FailureCard>
  );
}
