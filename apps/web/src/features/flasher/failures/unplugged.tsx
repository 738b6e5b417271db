import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { plugDemo } from '../store/flash-actions.ts';
import { useFlash } from '../store/flasher-store.ts';
import { useIsShared } from '../store/shared-board.ts';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** Shown if the cable was pulled. The next write compares, and leaves out the bytes that are already in flash. */
export function Unplugged(props: FailureProps) {
  const { port, failure } = props;
  const demo = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const usb = useFlash((flash) => flash.usb);
  const shared = useIsShared(port);
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? true);
  const isPulled = demo && !plugged;
  if (shared) {
    return <SharedBoardGone {...props} />;
  }
  return (
    <FailureCard
      topic={props.topic}
      title="The board was unplugged"
      badge="Unplugged"
      steps={[
        { title: 'Plug the board in again', text: 'Wait until its light is on.' },
        nextPress(failure),
        {
          title: `If it is not found, choose another ${usb ? 'device' : 'port'}`,
          text: `A ${usb ? 'device' : 'bridge'} without a serial number loses its permission when it is unplugged.`,
        },
      ]}
      actions={
        <>
          <TryAgain {...props} blocked={isPulled} />
          {isPulled ? <Button onClick={() => void plugDemo(port, true)}>Plug in again</Button> : null}
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

function nextPress({ interrupted }: FailureProps['failure'], when = '') {
  return interrupted
    ? {
        title: `Press Write the rest${when}`,
        text: 'What is already written is recognised and not written again.',
      }
    : { title: `Press Try again${when}` };
}

/**
 * Shown for a board of a shared bench. The cable, the bench or a connection may be lost: this page cannot distinguish
 * them.
 */
function SharedBoardGone(props: FailureProps) {
  const { port, failure } = props;
  return (
    <FailureCard
      topic={props.topic}
      title="The shared board is not there any more"
      badge="Gone"
      steps={[
        {
          title: 'Ask whoever shares it',
          text: 'It was unplugged, the bench is not shared any more, or a connection was lost for more than a minute.',
        },
        nextPress(failure, ' when it is back'),
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
