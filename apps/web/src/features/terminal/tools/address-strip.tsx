import { describePortSettings } from '@wirebench/port';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { ConnectButton } from '../../../workbench/port-picker/connect-button.tsx';
import { FailureStrip } from '../failures/failure-strip.tsx';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { closeOffer, declineOffer, takeUpAddress, useAddressOffer } from './address-offer.ts';

const endings = { none: 'no line ending', lf: 'LF', cr: 'CR', crlf: 'CRLF' } as const;

/** Strip that shows the settings requested by the address, with a button that connects the port. */
export function AddressStrip() {
  const { search } = useLocation();
  useEffect(() => {
    takeUpAddress(search);
  }, [search]);
  const offer = useAddressOffer();
  const port = offer?.port ?? 1;
  const { settings } = useTerminalSettings(({ ports }) => ports[port]);
  const name = useTerminalSettings((all) => portName(all, port));
  const ending = useTerminalSettings(({ ports }) => endings[ports[port].lineEnding]);
  const running = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  useEffect(() => {
    if (running && offer !== null && offer.wrong.length === 0) {
      closeOffer();
    }
  }, [running, offer]);
  if (offer === null) {
    return null;
  }
  return (
    <FailureStrip
      port={port}
      level={offer.wrong.length > 0 ? 'warning' : 'info'}
      title={`This address opens ${name} at ${describePortSettings(settings)}, and sends with ${ending}.`}
      actions={
        running ? null : (
          <>
            <ConnectButton port={port} settings={settings} size="sm" variant="primary" />
            <Button size="sm" onClick={declineOffer}>
              Use my settings
            </Button>
          </>
        )
      }
      onDismiss={closeOffer}
    >
      {offer.wrong.length === 0 ? null : (
        <ul>
          {offer.wrong.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {offer.filter === undefined ? null : (
        <p>
          Only lines with <code>{offer.filter}</code> are shown.
        </p>
      )}
      <p>Your own settings stay as you left them until you change these.</p>
    </FailureStrip>
  );
}
