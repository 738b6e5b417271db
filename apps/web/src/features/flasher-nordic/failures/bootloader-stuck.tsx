import { FailureCard } from '../../../workbench/flasher/failure-card.tsx';
import { BoardIsLeft, UsualActions, wordsOf } from '../../../workbench/flasher/failures/failure-parts.tsx';
import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';

/** The bootloader answers, but not as its protocol has it: what was before is still in its memory, or it is an old one. */
export function BootloaderStuck(props: FailureProps) {
  const { failure } = props;
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={props.topic}
      title={title}
      badge="Bootloader"
      steps={[
        { title: remedy ?? 'Try again.' },
        { title: 'Start the bootloader anew', text: 'Unplug the board, and bring it into its bootloader once more.' },
        { title: 'If it fails each time', text: 'Use the tool of the board’s maker: the log says what was answered.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
