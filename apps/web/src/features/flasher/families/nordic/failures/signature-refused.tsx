import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/** Shown if the package is not signed with the key that the bootloader was built with. */
export function SignatureRefused(props: FailureProps) {
  const { port, failure, topic } = props;
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge="Signature"
      steps={[
        { title: remedy ?? 'Sign the package with the key of this board.' },
        {
          title: 'Who has the key',
          text: 'Whoever built the bootloader: the maker of a finished product, or you, on your own kit. It cannot be bypassed from here.',
        },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
