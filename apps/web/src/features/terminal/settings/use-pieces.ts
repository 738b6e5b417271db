import type { PortNumber } from '@wirebench/serial';
import { useEffect } from 'react';
import { getBench } from '../../../workbench/bench.ts';
import { useTerminalSettings } from './settings-store.ts';

/** Applies the pieces of each port, in which text is sent, to the bench. */
export function usePieces(): void {
  usePiecesOf(1);
  usePiecesOf(2);
  usePiecesOf(3);
  usePiecesOf(4);
}

function usePiecesOf(port: PortNumber): void {
  const pieces = useTerminalSettings(({ ports }) => ports[port].pieces);
  useEffect(() => {
    void getBench().call('setPieces', port, pieces);
  }, [port, pieces]);
}
