/** Card that says why no board is on the bench, with its remedy. */
import { RotateCcw, X } from 'lucide-react';
import { type LabFailure, labPort } from '../../../protocol/lab-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { PortBusyCard } from '../../../workbench/remedies/port-busy-card.tsx';
import { connectAgain, dismissFailure } from '../store/lab-actions.ts';
import { labNow, useLab } from '../store/lab-store.ts';
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
    return (
      <PortBusyCard
        getTabPorts={getTabPorts}
        info={infoOf(labNow())}
        again="Connect again"
        onReleased={() => void connectAgain()}
        actions={
          <>
            <TryAgain />
            <Dismiss />
          </>
        }
        dismiss={<Dismiss />}
      />
    );
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
