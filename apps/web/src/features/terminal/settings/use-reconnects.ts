import type { PortNumber } from '@wirebench/serial';
import { useEffect } from 'react';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useTerminalSettings } from './settings-store.ts';

/**
 * Applies the reconnect setting of each port to the bench. Remote boards are excluded, because their host reconnects
 * them.
 */
export function useReconnects(): void {
  useReconnect(1);
  useReconnect(2);
  useReconnect(3);
  useReconnect(4);
}

function useReconnect(port: PortNumber): void {
  const reconnect = useTerminalSettings(({ ports }) => ports[port].reconnect);
  const remote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  useEffect(() => {
    void getBench().call('setReconnect', port, reconnect && !remote);
  }, [port, reconnect, remote]);
}
