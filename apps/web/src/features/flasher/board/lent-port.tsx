/** The way between this page and the terminal: ports that it has open, and the one that it has lent. */
import { pagePaths } from '@wirebench/contract/constants';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { ArrowLeft, SquareTerminal } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { isBusy } from '../state/flash-state.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { takePort } from '../store/page-visits.ts';
import { isTerminals, useLoan } from '../store/port-owners.ts';
import styles from './board-card.module.css';

/** Says that the board in view is a port of the terminal, and leads back there. */
export function LentPort() {
  const port = useFlasher(({ selected }) => selected);
  const lent = useLoan(port) !== null;
  const busy = useFlash((flash) => isBusy(flash));
  return lent ? (
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

/** Buttons that take over the ports that the terminal has open. */
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
  return ports.map((port) => <TakePort key={port} port={port} />);
}

function TakePort({ port }: { readonly port: PortNumber }) {
  return (
    <Button className={styles['wide']} icon={<SquareTerminal />} onClick={() => void takePort(port)}>
      Flash port {port} of the terminal
    </Button>
  );
}
