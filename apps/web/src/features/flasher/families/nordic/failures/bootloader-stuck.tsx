import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/**
 * Shown if the bootloader's answers violate its protocol. It may still hold state of an earlier transfer, or be an
 * old version.
 */
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
        { title: 'Restart the bootloader', text: 'Unplug the board, then start its bootloader again.' },
        {
          title: 'If it fails every time',
          text: 'Use the board maker’s own tool. The log shows what the bootloader answered.',
        },
      ]}
      actions={<UsualActions {...props} />}
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
