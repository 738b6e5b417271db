import { Button } from '../../../shared/ui/button.tsx';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { connect } from '../store/flash-actions.ts';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** Shown if the connected board is not the one that was being written. */
export function OtherBoard(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="This is not the same board as before"
      badge="Other board"
      steps={[
        { title: 'Plug in the board that was being written and try again' },
        { title: 'Or start over with this one', text: 'The other board stays as it is.' },
      ]}
      actions={
        <>
          <TryAgain {...props} words="Try again" />
          <Button onClick={() => void connect(props.port, { kind: 'same' })}>Start over with this one</Button>
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
