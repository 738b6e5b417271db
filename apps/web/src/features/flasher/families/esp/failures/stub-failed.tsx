import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/** Shown if the stub, which speeds up flashing, did not start. The chip's ROM can flash without it. */
export function StubFailed(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The flashing program did not start on the board"
      badge="Stub"
      steps={[
        { title: 'Try again', text: 'The usual cause is noise on the line.' },
        { title: 'If it fails every time, continue without it', text: 'Slower, and without reading or erasing flash.' },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <TryAgain {...props} words="Continue without it" attempt={{ stub: false }} secondary />
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
