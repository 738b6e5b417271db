import { FailureCard } from '../../../workbench/flasher/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss } from '../../../workbench/flasher/failures/failure-parts.tsx';
import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';
import { pageFamily } from '../../../workbench/flasher/store/flasher-store.ts';

/** Flash encryption, Secure Boot, Secure Download Mode: the maker of the board has locked it, and that stays. */
export function LockedChip({ port, failure, topic }: FailureProps) {
  const remedy = failure.code === null ? undefined : pageFamily().failures[failure.code]?.remedy;
  return (
    <FailureCard
      topic={topic}
      title={failure.message.replace(/\.$/, '')}
      badge="Locked"
      steps={[
        { title: remedy ?? 'Ask the maker of the board how it is updated.' },
        { title: 'These locks are fuses', text: 'Nobody can open them again, and Wirebench never burns any.' },
      ]}
      actions={
        <>
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
