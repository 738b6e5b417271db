import { portNumbers } from '@wirebench/serial';
import { useEffect } from 'react';
import type { PortNames } from '../../../protocol/bench/port-part.ts';
import { changeSharing } from '../../../workbench/sharing/sharing-store.ts';
import { portName, useTerminalSettings } from './settings-store.ts';

/** Publishes the names of the ports to the guests of the shared bench. */
export function useSharedNames(): void {
  const ports = useTerminalSettings((settings) => settings.ports);
  useEffect(() => {
    const names = Object.fromEntries(portNumbers.map((port) => [port, portName({ ports }, port)]));
    changeSharing({ portNames: names as PortNames });
  }, [ports]);
}
