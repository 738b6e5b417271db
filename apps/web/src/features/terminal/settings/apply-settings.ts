/** Applies changed settings to an open port at once, with an undo. */
import { describePortSettings, type PortSettings } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { sameShallow } from '../../../shared/same-shallow.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { changePortSettings, portName, terminalSettingsNow } from './settings-store.ts';

/** Returns true if the settings differ in nothing that an open port uses: control lines are set only at its opening. */
export function sameOnTheWire(one: PortSettings, other: PortSettings): boolean {
  const { linesAtOpen: _one, ...first } = one;
  const { linesAtOpen: _other, ...second } = other;
  return sameShallow(first, second);
}

/** Reopens the port with its stored settings if it is open with others. A failure is on the timeline. */
export async function applySettings(port: PortNumber): Promise<void> {
  const { state, settings: opened } = benchStatus.tick.status.ports[port];
  const { settings } = terminalSettingsNow().ports[port];
  if (state !== 'connected' || opened === null || sameOnTheWire(opened, settings)) {
    return;
  }
  await reportingFailure(port, getBench().call('reopen', port, settings));
  if (benchStatus.tick.status.ports[port].state === 'disconnected') {
    return;
  }
  toast(`${portName(terminalSettingsNow(), port)} is open at ${describePortSettings(settings)} now`, {
    action: {
      label: 'Undo',
      onAction: () => {
        changePortSettings(port, opened);
        void reportingFailure(port, getBench().call('reopen', port, opened));
      },
    },
  });
}
