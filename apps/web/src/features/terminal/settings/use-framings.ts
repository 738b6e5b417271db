import type { PortNumber } from '@wirebench/serial';
import { useEffect } from 'react';
import { getBench } from '../../../workbench/bench.ts';
import { useTerminalSettings } from './settings-store.ts';

/** Applies the framing of each port to the bench. */
export function useFramings(): void {
  useFraming(1);
  useFraming(2);
  useFraming(3);
  useFraming(4);
}

function useFraming(port: PortNumber): void {
  const framing = useTerminalSettings(({ ports }) => ports[port].framing);
  useEffect(() => {
    void getBench().call('setFraming', port, framing);
  }, [port, framing]);
}
