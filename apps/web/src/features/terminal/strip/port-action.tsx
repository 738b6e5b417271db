import type { PortNumber } from '@wirebench/serial';
import { Unplug } from 'lucide-react';
import { Button, type ButtonProps } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFlasherBoard } from '../../../workbench/flasher-boards.ts';
import { ConnectButton } from '../../../workbench/port-picker/connect-button.tsx';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { TakeBackButton } from '../../../workbench/sharing/used-port.tsx';
import { ToFlasher } from '../in-flasher.tsx';
import { useTerminalSettings } from '../settings/settings-store.ts';

export interface PortActionProps extends Pick<ButtonProps, 'size'> {
  readonly port: PortNumber;
  /** True: show text besides the icon. */
  readonly worded?: boolean;
}

/** Button for the only possible connection action in the port's state. */
export function PortAction({ port, size, worded = false }: PortActionProps) {
  const state = useBenchStatus((view) => view.status.ports[port].state);
  const user = useBenchStatus((view) => view.users[port]);
  const remote = useBenchStatus((view) => ['remote', 'log'].includes(view.devices[port]?.kind ?? ''));
  const settings = useTerminalSettings(({ ports }) => ports[port].settings);
  const inFlasher = useFlasherBoard(port);
  const disconnect = () => void reportingFailure(port, getBench().call('disconnect', port));
  if (remote) {
    // The host opens and closes the ports, and a log has none. The pane beside the log has what can be done.
    return null;
  }
  if (user !== null) {
    return <TakeBackButton port={port} user={user} size={size} />;
  }
  if (inFlasher !== null) {
    return <ToFlasher port={port} board={inFlasher} size={size} />;
  }
  switch (state) {
    case 'disconnected':
      return <ConnectButton port={port} settings={settings} size={size} />;
    case 'connecting':
      return (
        <Button size={size} aria-label={`Cancel: stop connecting port ${port}`} onClick={disconnect}>
          Cancel
        </Button>
      );
    case 'reconnecting':
      return (
        <Button
          size={size}
          aria-label={`Cancel: stop waiting for the board of port ${port}`}
          onClick={() => void getBench().call('cancelReconnect', port)}
        >
          Cancel
        </Button>
      );
    case 'connected':
    case 'disconnecting':
      return worded ? (
        <Button size={size} icon={<Unplug />} busy={state === 'disconnecting'} onClick={disconnect}>
          Disconnect
        </Button>
      ) : (
        <IconButton
          label={`Disconnect port ${port}`}
          size={size}
          variant="quiet"
          icon={<Unplug />}
          busy={state === 'disconnecting'}
          onClick={disconnect}
        />
      );
  }
}
