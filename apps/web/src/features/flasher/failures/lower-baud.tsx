import { FailureCard } from '../../../workbench/failure-card.tsx';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain, wordsOf } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** Shown if bytes are lost or wrong at this baud rate. A link without a rate offers no lower one. */
export function LowerBaud(props: FailureProps) {
  const { failure, port } = props;
  const { baudRates } = pageFamily();
  const chosen = useFlasher(({ settings }) => settings.baudRate);
  const board = useFlash((flash) => flash.board);
  const used = board === null ? chosen : board.baudRate;
  const lower = used === null ? undefined : baudRates.findLast((rate) => rate < Math.min(used, chosen));
  return (
    <FailureCard
      topic={props.topic}
      title={wordsOf(failure).title}
      badge={used === null ? 'Transfer' : 'Baud rate'}
      steps={[
        ...(lower === undefined
          ? []
          : [{ title: `Try again at ${lower} baud`, text: 'Slower, but more reliable over long cables.' }]),
        { title: 'Use a shorter cable, or another USB port' },
        { title: 'If it always fails at the same place, the flash chip may be damaged or protected' },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          {lower === undefined ? null : (
            <TryAgain {...props} words={`Try again at ${lower} baud`} attempt={{ baudRate: lower }} secondary />
          )}
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
