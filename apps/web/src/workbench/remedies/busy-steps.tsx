/** Ordered steps for a port that another program may hold or that the account may not open. */
import type { ReactNode } from 'react';
import { operatingSystem } from './operating-system.ts';
import { LinuxAllowance, SerialPrograms } from './port-holders.tsx';

interface BusyStep {
  readonly title: string;
  readonly text: ReactNode;
}

const permission = {
  linux: {
    title: 'Check that this account may use serial ports',
    text: <LinuxAllowance />,
  },
  mac: {
    title: 'Check the driver',
    text: 'macOS includes drivers for CP210x, CH34x and FTDI. An older driver that was installed by hand can hold the port: remove it in System Settings, General, Login Items & Extensions.',
  },
  windows: {
    title: 'Check the driver',
    text: 'In Device Manager, the port must be listed under "Ports (COM & LPT)" without a warning sign. If it is not, install the driver of its bridge: CP210x, CH340 or FTDI.',
  },
  other: null,
} as const;

export function busySteps(): readonly BusyStep[] {
  const system = permission[operatingSystem()];
  return [
    {
      title: 'Close other programs that use it',
      text: (
        <>
          Common ones: <SerialPrograms />.
        </>
      ),
    },
    ...(system === null ? [] : [system]),
  ];
}
