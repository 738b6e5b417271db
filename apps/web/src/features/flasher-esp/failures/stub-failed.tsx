import { FailureCard } from '../../../workbench/flasher/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from '../../../workbench/flasher/failures/failure-parts.tsx';
import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';

/** The program that speeds up flashing did not start on the chip. The ROM alone can do it, too. */
export function StubFailed(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The flashing program did not start on the board"
      badge="Stub"
      steps={[
        { title: 'Try again', text: 'A disturbance on the line is the usual reason.' },
        { title: 'If it fails each time, go on without it', text: 'Slower, and without reading and erasing.' },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <TryAgain {...props} words="Go on without it" attempt={{ stub: false }} secondary />
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
