/** Dock above the log with the remedies for all failures of the ports: one component for each failure code. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type ComponentType, useEffect } from 'react';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { type ConnectFailureCode, useConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { BadSettings } from './bad-settings.tsx';
import { DeviceGone } from './device-gone.tsx';
import { FramingErrors } from './framing-errors.tsx';
import { NoMemory } from './no-memory.tsx';
import { NotBack } from './not-back.tsx';
import { NothingPicked } from './nothing-picked.tsx';
import { OpenHere } from './open-here.tsx';
import { PermissionDenied } from './permission-denied.tsx';
import { PortBusy, type PortFailureProps } from './port-busy.tsx';
import { PortRequest } from './port-request.tsx';
import { getTabPorts } from './terminal-tab-ports.ts';

const remedies = {
  busy: PortBusy,
  'permission-denied': PermissionDenied,
  'device-gone': DeviceGone,
  'bad-settings': BadSettings,
  'no-memory': NoMemory,
  'open-here': OpenHere,
  'nothing-picked': NothingPicked,
} satisfies Record<ConnectFailureCode, ComponentType<PortFailureProps>>;

export function FailureDock() {
  useEffect(() => {
    // Starts answering requests of other tabs.
    getTabPorts();
  }, []);
  return (
    <div>
      {portNumbers.map((port) => (
        <PortFailures key={port} port={port} />
      ))}
    </div>
  );
}

function PortFailures({ port }: { readonly port: PortNumber }) {
  const failure = useConnectFailure(port);
  const idle = useBenchStatus(({ status }) => ['disconnected', 'reconnecting'].includes(status.ports[port].state));
  const Remedy = failure && remedies[failure.code];
  return (
    <>
      {Remedy && idle ? <Remedy port={port} failure={failure} /> : null}
      <NotBack port={port} />
      <FramingErrors port={port} />
      <PortRequest port={port} />
    </>
  );
}
