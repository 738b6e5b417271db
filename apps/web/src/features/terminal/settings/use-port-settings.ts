import type { PortNumber } from '@wirebench/serial';
import { useEffect } from 'react';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { chooseDecoder } from '../../../workbench/decoders/choose-decoder.ts';
import { useTerminalSettings } from './settings-store.ts';

/** Applies the framing and the decoder of each port, the pieces in which its text is sent, and whether it reconnects, to the bench. */
export function usePortSettings(): void {
  useSettingsOf(1);
  useSettingsOf(2);
  useSettingsOf(3);
  useSettingsOf(4);
}

function useSettingsOf(port: PortNumber): void {
  const framing = useTerminalSettings(({ ports }) => ports[port].framing);
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const answersOn = useTerminalSettings(({ ports }) => ports[port].answersOn);
  const pieces = useTerminalSettings(({ ports }) => ports[port].pieces);
  const reconnect = useTerminalSettings(({ ports }) => ports[port].reconnect);
  // The host of a remote board reconnects it.
  const remote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  useEffect(() => {
    void getBench().call('setFraming', port, framing);
  }, [port, framing]);
  useEffect(() => chooseDecoder(port, decoder, answersOn), [port, decoder, answersOn]);
  useEffect(() => {
    void getBench().call('setPieces', port, pieces);
  }, [port, pieces]);
  useEffect(() => {
    void getBench().call('setReconnect', port, reconnect && !remote);
  }, [port, reconnect, remote]);
}
