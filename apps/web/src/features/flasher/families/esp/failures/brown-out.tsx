import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/** Shown if the chip's brown-out detector has seen too low a voltage and restarted the chip. */
export function BrownOut(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The board’s supply voltage dropped too low"
      badge="Brown-out"
      steps={[
        {
          title: 'Use a shorter cable and another USB port',
          text: 'A port on the computer itself, or a powered hub.',
        },
        {
          title: 'Disconnect anything that draws current',
          text: 'Motors, LED strips, a modem: flashing does not need them.',
        },
        { title: 'Try again', text: 'What is already written is kept.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>Erasing and writing flash draw more current than usual. The chip detected the drop and restarted.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
