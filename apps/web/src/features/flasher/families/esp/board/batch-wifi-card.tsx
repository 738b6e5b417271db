/** Network that the boards of a batch are put on after their write, asked for once, and what came of each board. */
import { Wifi } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../../shared/ui/button.tsx';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { pageAddress } from '../../../../../workbench/improv/page-address.ts';
import { type SeriesOutcome, useSeriesNetwork } from '../../../../../workbench/improv/series.ts';
import { Card } from '../../../card.tsx';
import { useBatchWifi } from '../../../store/batch-wifi.ts';
import { useFlasher } from '../../../store/flasher-store.ts';

const load = () => import('../../../../../workbench/improv/series-dialog.tsx');

/** Drawn while batch mode is on, and as long as there are results. */
export function BatchWifiCard() {
  const isOn = useFlasher(({ batchMode }) => batchMode);
  const outcomes = useBatchWifi();
  const network = useSeriesNetwork();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const loaded = useLoaded(isOpen, load, close);
  if (!isOn && outcomes.size === 0) {
    return null;
  }
  return (
    <Card
      title="Wi-Fi of this batch"
      actions={
        isOn ? (
          <Button size="sm" icon={<Wifi />} onClick={() => setOpen(true)}>
            {network === null ? 'Wi-Fi for each board…' : 'Change…'}
          </Button>
        ) : null
      }
    >
      {isOn ? (
        <p>
          {network === null
            ? 'The boards are not put on a network.'
            : `Each board whose program has Improv is put on ${network} after its write.`}
        </p>
      ) : null}
      <div role="status">
        {outcomes.size === 0 ? null : (
          <ul>
            {[...outcomes].map(([board, outcome]) => (
              <li key={board}>
                <b>{board}</b> <Outcome outcome={outcome} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOpen && loaded !== null ? <loaded.SeriesDialog onClose={close} /> : null}
    </Card>
  );
}

function Outcome({ outcome }: { readonly outcome: SeriesOutcome }) {
  if (outcome.kind === 'failed') {
    return `is not on ${outcome.network}. ${outcome.reason}`;
  }
  const href = pageAddress(outcome.address);
  return (
    <>
      is on {outcome.network}
      {href === null ? null : (
        <>
          {', '}
          <a className="link" href={href} target="_blank" rel="noopener noreferrer">
            {href}
          </a>
        </>
      )}
    </>
  );
}
