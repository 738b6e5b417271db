import { operatingSystem } from '@wirebench/port/browser-support';
import type { PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { type ConnectFailure, setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { LinuxAllowance, SerialPrograms } from '../../../workbench/remedies/port-holders.tsx';
import { type Asking, useAsking, useHolders } from '../../../workbench/remedies/use-holders.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';
import { getTabPorts } from './terminal-tab-ports.ts';

export interface PortFailureProps {
  readonly port: PortNumber;
  readonly failure: ConnectFailure;
}

/** Remedy: another Wirebench tab, which can be asked, or another program holds the board. */
export function PortBusy({ port, failure }: PortFailureProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const holders = useHolders(getTabPorts, failure.source?.kind === 'serial' ? failure.source.place.info : null);
  const again = () => {
    if (failure.source !== null) {
      void connectSource(port, failure.source, failure.settings);
    }
  };
  const dismiss = () => setConnectFailure(port, null);
  const asking = useAsking(getTabPorts, holders?.[0], again);
  if (asking !== null) {
    return <HeldByTab port={port} asking={asking} onDismiss={dismiss} />;
  }
  return (
    <FailureStrip
      port={port}
      topic="port-access-denied"
      title={
        holders === null
          ? `The board on ${name} could not be opened. Asking the other tabs…`
          : `The board on ${name} could not be opened. No other Wirebench tab is using it.`
      }
      actions={
        <Button size="sm" onClick={again}>
          Try again
        </Button>
      }
      onDismiss={dismiss}
    >
      <p>
        Another program may be using it. Close that program, then try again. Common ones: <SerialPrograms />.
      </p>
      {operatingSystem() === 'linux' ? (
        <p>
          Your account may also lack access to serial ports. <LinuxAllowance />
        </p>
      ) : null}
    </FailureStrip>
  );
}

interface HeldByTabProps {
  readonly port: PortNumber;
  readonly asking: Asking;
  readonly onDismiss: () => void;
}

function HeldByTab({ port, asking, onDismiss }: HeldByTabProps) {
  const { title, text, busy, ask } = asking;
  return (
    <FailureStrip
      port={port}
      title={`${title}.`}
      actions={
        <Button size="sm" busy={busy} onClick={() => void ask()}>
          Ask the other tab to release it
        </Button>
      }
      onDismiss={onDismiss}
    >
      <p role="status">{text}</p>
    </FailureStrip>
  );
}
