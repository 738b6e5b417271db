import type { PortSettings } from '@wirebench/port';
import type { SharedPortFacts } from './live-protocol.ts';

/** Returns the settings of a shared port at the host; null while it is closed. */
export function sharedSettings({ settings }: Pick<SharedPortFacts, 'settings'>): PortSettings | null {
  return settings === null
    ? null
    : {
        baudRate: settings.baudRate,
        dataBits: settings.dataBits === '7' ? 7 : 8,
        stopBits: settings.stopBits === '2' ? 2 : 1,
        parity: settings.parity,
        flowControl: settings.flowControl,
      };
}
