import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

/**
 * Shown for flash encryption, Secure Boot and Secure Download Mode: the maker of the board has locked it permanently.
 */
export function LockedChip({ port, failure, topic }: FailureProps) {
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge="Locked"
      steps={[
        { title: remedy ?? 'Ask the board’s maker how to update it.' },
        { title: 'These locks are fuses', text: 'They cannot be undone, and Wirebench never burns any.' },
      ]}
      actions={
        <>
          <AnotherPort port={port} main />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
