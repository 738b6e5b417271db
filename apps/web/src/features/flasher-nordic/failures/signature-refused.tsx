import { FailureCard } from '../../../workbench/flasher/failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain } from '../../../workbench/flasher/failures/failure-parts.tsx';
import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';
import { pageFamily } from '../../../workbench/flasher/store/flasher-store.ts';

/** The key that the bootloader was built with is not the one that the package was signed with. */
export function SignatureRefused(props: FailureProps) {
  const { port, failure, topic } = props;
  const text = failure.code === null ? undefined : pageFamily().failures[failure.code];
  return (
    <FailureCard
      topic={topic}
      title={(text?.what ?? failure.message).replace(/\.$/, '')}
      badge="Signature"
      steps={[
        { title: text?.remedy ?? 'Sign the package with the key of this board.' },
        {
          title: 'Who has the key',
          text: 'Whoever built the bootloader: the maker of a finished product, or you on a kit of your own. Nobody gets around it from here.',
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
