import { FailureCard } from '../../../workbench/failure-card.tsx';
import { pageFamily } from '../store/flasher-store.ts';
import { AnotherPort, BoardIsLeft, Dismiss } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/**
 * Shown if the board came back as another device. Bootloader and program may be two devices, so the user has to pick
 * it again.
 */
export function CameBackDifferent({ port, failure, topic }: FailureProps) {
  return (
    <FailureCard
      topic={topic}
      title="The board came back as a different port"
      badge="Pick it again"
      steps={[
        {
          title: 'Pick the board again',
          text: pageFamily().words.otherPort,
        },
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
