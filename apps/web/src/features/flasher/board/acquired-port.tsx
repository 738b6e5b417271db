/** The way between this page and the terminal: ports that it has open, and the one that was acquired from it. */
import { pagePaths } from '@wirebench/contract/constants';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { ArrowLeft, SquareTerminal } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { isBusy } from '../state/flash-state.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { acquirePort } from '../store/page-visits.ts';
import { isTerminals, useAcquiredPort } from '../store/port-owners.ts';

/** Says that the board in view is a port of the terminal, and leads back there. */
export function AcquiredPortNotice() {
  const port = useFlasher(({ selected }) => selected);
  const isAcquired = useAcquiredPort(port) !== null;
  const busy = useFlash((flash) => isBusy(flash));
  return isAcquired ? (
    <Notice
      level="info"
      title={`This board is port ${port} of the terminal.`}
      action={
        <a href={pagePaths.uart} className={buttonClass({ size: 'sm' })}>
          <ArrowLeft />
          Back to the terminal
        </a>
      }
    >
      {busy
        ? 'If you go back now, the flasher goes on, and the port opens there when it has finished.'
        : 'When you go back, the port opens there with its settings, in the same log.'}
    </Notice>
  ) : null;
}

/** Buttons that acquire the ports that the terminal has open. */
export function TerminalPorts() {
  const open = useBenchStatus(({ status, users, devices }) =>
    portNumbers
      .filter(
        (port) =>
          status.ports[port].state === 'connected' &&
          users[port] === null &&
          devices[port]?.kind !== 'remote' &&
          isTerminals(port),
      )
      .join(),
  );
  const ports = portNumbers.filter((port) => open.split(',').includes(String(port)));
  return ports.map((port) => <AcquirePort key={port} port={port} />);
}

function AcquirePort({ port }: { readonly port: PortNumber }) {
  return (
    <Button icon={<SquareTerminal />} onClick={() => void acquirePort(port)}>
      Flash port {port} of the terminal
    </Button>
  );
}
