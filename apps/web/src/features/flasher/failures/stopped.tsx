import { boardStateText } from '@wirebench/flasher/core';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** Shown after the user has cancelled. The content depends on the state in which the board was left. */
export function Stopped(props: FailureProps) {
  const { failure, port } = props;
  if (failure.state !== 'incomplete') {
    return (
      <FailureCard
        title="Stopped"
        actions={
          <>
            {/* After a write that was stopped before its first byte, the button only connects: the user has to start
                the write again. */}
            <TryAgain port={port} failure={{ ...failure, interrupted: false }} words="Connect again" />
            <Dismiss port={port} />
          </>
        }
      >
        <p>{boardStateText[failure.state]}</p>
      </FailureCard>
    );
  }
  return (
    <FailureCard
      topic={props.topic}
      title="Stopped in the middle of the write"
      badge="Not complete"
      steps={[
        {
          title: 'Press Write the rest, now or later',
          text: 'What is already written is kept. The write continues from there.',
        },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
