/** Card that says why no board is on the bench, with its remedy. */
import { RotateCcw, X } from 'lucide-react';
import { type LabFailure, labPort } from '../../../protocol/lab-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { busySteps } from '../../../workbench/remedies/busy-steps.tsx';
import { type Asking, useAsking, useHolders } from '../../../workbench/remedies/use-holders.ts';
import { connectAgain, dismissFailure } from '../store/lab-actions.ts';
import { labStore, useLab } from '../store/lab-store.ts';
import { getTabPorts, infoOf } from '../store/lab-tab-ports.ts';

/** Codes for a board that did not enter its boot ROM by itself. A person can put it there by hand. */
const byHand: readonly (string | null)[] = [
  'no-answer',
  'nothing-at-all',
  'normal-boot',
  'boot-loop',
  'empty-flash',
  'nothing-to-start',
  'no-sync-reply',
  'garbage',
];

export function Failure({ failure }: { readonly failure: LabFailure }) {
  const { code, message, remedy, detail } = failure;
  if (code === 'port-busy') {
    return <PortBusy />;
  }
  return (
    <FailureCard
      title={message.replace(/\.$/, '')}
      actions={
        <>
          <TryAgain />
          {byHand.includes(code) ? (
            <Button onClick={() => void connectAgain(true)}>I held BOOT and pressed EN</Button>
          ) : null}
          <Dismiss />
        </>
      }
    >
      {remedy === null ? null : <p>{remedy}</p>}
      {detail === null ? null : (
        <p>
          <code>{detail}</code>
        </p>
      )}
      {code === null ? null : <p>Nothing was written to flash.</p>}
    </FailureCard>
  );
}

/** Connects again. A demo board that was unplugged is plugged in first. */
function TryAgain() {
  const known = useLab((state) => state.source !== null);
  const pulled = useBenchStatus(({ devices }) => devices[labPort]?.kind === 'demo' && !devices[labPort].plugged);
  const again = async () => {
    if (pulled) {
      await getBench().call('plugDemo', labPort, true);
    }
    await connectAgain();
  };
  return known ? (
    <Button variant="primary" icon={<RotateCcw />} onClick={() => void again()}>
      Connect again
    </Button>
  ) : null;
}

function Dismiss() {
  return (
    <Button variant="quiet" icon={<X />} onClick={dismissFailure}>
      Dismiss
    </Button>
  );
}

/**
 * Shown if another program or tab holds the port, or if the account may not open it: the browser does not report
 * which.
 */
function PortBusy() {
  const holders = useHolders(getTabPorts, infoOf(labStore.getState()));
  const asking = useAsking(getTabPorts, holders?.[0], () => void connectAgain());
  if (asking !== null) {
    return <HeldByTab asking={asking} />;
  }
  return (
    <FailureCard
      title="The port could not be opened"
      badge="Port busy"
      steps={[...busySteps(), { title: 'Press Connect again' }]}
      actions={
        <>
          <TryAgain />
          <Dismiss />
        </>
      }
    >
      <p>
        Only one program at a time can open a port.{' '}
        {holders === null ? 'Asking the other Wirebench tabs…' : 'No other Wirebench tab is using it.'}
      </p>
    </FailureCard>
  );
}

function HeldByTab({ asking: { title, text, busy, ask } }: { readonly asking: Asking }) {
  return (
    <FailureCard
      title={title}
      badge="Port busy"
      actions={
        <>
          <Button variant="primary" busy={busy} onClick={() => void ask()}>
            Ask the other tab to release it
          </Button>
          <Dismiss />
        </>
      }
    >
      <p role="status">{text}</p>
    </FailureCard>
  );
}
