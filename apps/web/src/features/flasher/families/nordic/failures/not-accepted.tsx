import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/** Shown if the bootloader took every byte, but does not start this image. */
export function NotAccepted(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The bootloader does not accept the image"
      badge="Not started"
      steps={[
        { title: 'Check the key', text: 'The image has to be signed with the key that the bootloader was built with.' },
        { title: 'Check the board', text: 'It also rejects an image for another flash layout.' },
        { title: 'Write a matching image', text: 'The board waits for it in its bootloader. Nothing is broken.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>Everything was sent, but the bootloader does not list this image as bootable.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
