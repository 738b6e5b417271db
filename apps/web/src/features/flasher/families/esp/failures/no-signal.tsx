import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BootTiming } from '../../../boot-timing.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/** Shown if not one byte came: the wrong port, a cable for charging only, or a board without power. */
export function NoSignal(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="Nothing was received from this port"
      badge="No answer"
      steps={[
        { title: 'Check the port', text: 'Unplug the board: the port that vanishes from the list is the right one.' },
        { title: 'Check the cable', text: 'Many cables only charge. Use one that you have copied data with.' },
        { title: 'Check the power', text: 'A light on the board should be on.' },
        {
          title: 'Hold BOOT, tap EN, release BOOT, and try again',
          text: 'For boards without a reset circuit. DTR or RTS holds some boards in reset: try without them.',
        },
      ]}
      drawing={<BootTiming />}
      actions={
        <>
          <TryAgain {...props} />
          <TryAgain {...props} words="Try without DTR and RTS" attempt={{ byHand: true }} secondary />
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <p>The port opened, but the board sent nothing, not even a boot log.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
