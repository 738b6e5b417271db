import { FailureCard } from '../../../workbench/flasher/failure-card.tsx';
import { BoardIsLeft, UsualActions } from '../../../workbench/flasher/failures/failure-parts.tsx';
import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';

/** The chip's own guard saw too little voltage and restarted it. */
export function BrownOut(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The supply voltage of the board dropped too low"
      badge="Brown-out"
      steps={[
        {
          title: 'Use a shorter cable and another USB port',
          text: 'One at the computer itself, or a hub with its own supply.',
        },
        { title: 'Disconnect what draws current', text: 'Motors, LED strips, a modem: flashing does not need them.' },
        { title: 'Press the button below', text: 'What has been written already is kept.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>Erasing and writing flash draw more current than idling. The chip noticed and restarted.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
