/** The search for a rate that a person has asked for in the strip, and its result. Loaded when it begins. */
import { type BaudFinding, lineText, type PortNumber } from '@wirebench/serial';
import { type ReactNode, use } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import type { MessageLevel } from '../../../shared/ui/level-icon.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { applyBaudRate, useBaudSearch } from '../settings/baud-finder.ts';
import { showBaudFinder } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { AdviceStrip } from './advice-strip.tsx';

/** Characters of the readable text that proves a rate. */
const proofLength = 60;

export interface RateSearchProps {
  readonly port: PortNumber;
  /** Rate at which the search was asked for. */
  readonly before: number;
  /** Button that starts the search again. */
  readonly findButton: ReactNode;
  readonly onEnd: () => void;
}

/** The search that the person has asked for in the strip, and its result: the port is opened at the rate that was found. */
export function RateSearch({ port, before, findButton, onEnd }: RateSearchProps) {
  const search = useBaudSearch(port);
  const progress = useBenchStatus(({ baudSearches }) => baudSearches[port]);
  const strip = (level: MessageLevel, title: string, actions: ReactNode, children: ReactNode = null) => (
    <AdviceStrip
      port={port}
      level={level}
      title={title}
      actions={actions}
      onRest={() => {
        if (search.kind === 'running') {
          search.cancel();
        }
        onEnd();
      }}
    >
      <div role="status">{children}</div>
    </AdviceStrip>
  );
  if (search.kind === 'running') {
    const step = progress === null ? '' : `, ${progress.index + 1} of ${progress.count}`;
    return strip(
      'info',
      progress === null ? 'Listening at other rates.' : `Listening at ${progress.rate} baud${step}.`,
      <Button size="sm" aria-label="Cancel: stop looking for the baud rate" onClick={search.cancel}>
        Cancel
      </Button>,
    );
  }
  if (search.kind === 'failed') {
    return strip('warning', search.message, findButton);
  }
  if (search.kind === 'none') {
    return strip('info', 'The search was stopped.', findButton);
  }
  return <Found port={port} before={before} finding={search.finding} strip={strip} onEnd={onEnd} />;
}

interface FoundProps extends Omit<RateSearchProps, 'findButton'> {
  readonly finding: BaudFinding;
  readonly strip: (level: MessageLevel, title: string, actions: ReactNode, children?: ReactNode) => ReactNode;
}

function Found({ port, before, finding: { baudRate, silent, ranking }, strip, onEnd }: FoundProps) {
  const opened = useBenchStatus(({ status }) => status.ports[port].settings?.baudRate ?? null);
  // A guest's settings have no finder.
  const hasFinder = use(TerminalSlotsContext).pane === null;
  const compare = hasFinder ? (
    <Button
      size="sm"
      onClick={() => {
        showBaudFinder(port);
        onEnd();
      }}
    >
      Compare the rates
    </Button>
  ) : null;
  const best = ranking.find((candidate) => candidate.baudRate === baudRate);
  if (best !== undefined) {
    if (best.baudRate === before) {
      return strip(
        'success',
        `${before} baud is right: the board's text is readable.`,
        compare,
        <ProofOf bytes={best.sample} />,
      );
    }
    const [rate, title] =
      best.baudRate === opened
        ? [before, `At ${best.baudRate} baud it is readable. The port is open at that rate now.`]
        : [best.baudRate, `At ${best.baudRate} baud it is readable.`];
    return strip(
      'success',
      title,
      <Button
        size="sm"
        variant={rate === before ? undefined : 'primary'}
        onClick={() => {
          void applyBaudRate(port, rate);
          onEnd();
        }}
      >
        {rate === before ? `Back to ${rate}` : `Use ${rate}`}
      </Button>,
      <ProofOf bytes={best.sample} />,
    );
  }
  return silent
    ? strip(
        'warning',
        'Nothing was received at any rate. Press the reset button of the board, and search again.',
        compare,
      )
    : strip(
        'warning',
        'No rate makes it readable. The board may speak a binary protocol, or its signal is inverted (RS-232 levels without a converter).',
        compare,
      );
}

/** Shows the longest line, which says more than a piece of one. */
function ProofOf({ bytes }: { readonly bytes: Uint8Array }) {
  const [longest = ''] = lineText(bytes, { showControls: true })
    .split(/\\r|\\n/)
    .map((line) => line.trim())
    .toSorted((one, other) => other.length - one.length);
  return (
    <p>
      <code>{longest.slice(0, proofLength)}</code>
    </p>
  );
}
