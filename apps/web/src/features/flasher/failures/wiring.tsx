import { FailureCard } from '../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';
import { WiringDrawing } from './wiring-drawing.tsx';

export interface WiringProps extends FailureProps {
  /** True: the board sends, but receives nothing. */
  readonly deaf?: boolean;
}

/** Shown if bytes are altered on the way: by a wire, the ground, or another part on the same pins. */
export function Wiring({ deaf = false, ...props }: WiringProps) {
  return (
    <FailureCard
      topic={props.topic}
      title={deaf ? 'The board does not receive what is sent' : 'The data from the board could not be read'}
      badge="Wiring"
      steps={[
        {
          title: deaf
            ? 'Check the wire from TX of the adapter to RX of the board'
            : 'Check the ground wire between adapter and board',
          text: 'TX of one side goes to RX of the other. Connect both grounds.',
        },
        {
          title: 'Disconnect anything else from TX and RX',
          text: 'A sensor or a modem on the same pins can hold them high or low.',
        },
        { title: 'Use a shorter cable, or a lower baud rate' },
      ]}
      drawing={<WiringDrawing />}
      actions={<UsualActions {...props} />}
    >
      <p>
        {deaf
          ? 'The chip is in its bootloader and says so, but nothing that is sent reaches it.'
          : 'The board sends bytes, but they make no sense at any baud rate.'}
      </p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
