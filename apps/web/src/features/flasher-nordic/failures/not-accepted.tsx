import { FailureCard } from '../../../workbench/flasher/failure-card.tsx';
import { BoardIsLeft, UsualActions } from '../../../workbench/flasher/failures/failure-parts.tsx';
import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';

/** Every byte was taken, and the image is not one that this bootloader starts. */
export function NotAccepted(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The bootloader does not accept the image"
      badge="Not started"
      steps={[
        { title: 'Check the key', text: 'The image has to be signed with the key that the bootloader was built with.' },
        { title: 'Check the board', text: 'An image for another layout of the flash is not started either.' },
        { title: 'Write an image that fits', text: 'The board waits for it in its bootloader; nothing is broken.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>All was sent, but it is not in the list of images that the bootloader would start.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
