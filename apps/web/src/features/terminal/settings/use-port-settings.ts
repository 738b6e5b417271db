import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useEffect } from 'react';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { chooseDecoder } from '../../../workbench/decoders/choose-decoder.ts';
import { onTerminalSettingsChange, terminalSettingsNow, useTerminalSettings } from './settings-store.ts';
import { portSettingNames, portSettings, type TerminalSettings } from './terminal-settings.ts';

/** Applies the settings of each port to the bench, now and after each change. */
export function usePortSettings(): void {
  useEffect(() => {
    tell(terminalSettingsNow());
    return onTerminalSettingsChange(tell);
  }, []);
  useChoicesOf(1);
  useChoicesOf(2);
  useChoicesOf(3);
  useChoicesOf(4);
}

/** Tells the bench what differs from `before`. */
function tell({ ports }: TerminalSettings, before?: TerminalSettings): void {
  for (const port of portNumbers) {
    for (const name of portSettingNames) {
      const { call } = portSettings[name];
      const value = ports[port][name];
      if (call !== undefined && value !== before?.ports[port][name]) {
        // The table pairs each call with the type of its value.
        void (getBench().call as (name: string, ...values: unknown[]) => Promise<unknown>)(call, port, value);
      }
    }
  }
}

/** Applies the choices that depend on more than one value. */
function useChoicesOf(port: PortNumber): void {
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const answersOn = useTerminalSettings(({ ports }) => ports[port].answersOn);
  const reconnect = useTerminalSettings(({ ports }) => ports[port].reconnect);
  // The host of a remote board reconnects it.
  const remote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  useEffect(() => chooseDecoder(port, decoder, answersOn), [port, decoder, answersOn]);
  useEffect(() => {
    void getBench().call('setReconnect', port, reconnect && !remote);
  }, [port, reconnect, remote]);
}
