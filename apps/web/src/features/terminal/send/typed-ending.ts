/**
 * Ending that Enter sends on a port: the stored one, or CR while a board with Python is on the port, because Python does not
 * take LF. The stored ending stays for the next board. A choice of the person wins until the port is opened again.
 */
import type { LineEnding, PortNumber } from '@wirebench/serial';
import { type BenchView, benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { changePort, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalPort, useTerminalPort } from '../terminal-session.ts';
import type { TypedAs } from './send-message.ts';

type View = Pick<BenchView, 'status' | 'advice'>;

const needsCr = (view: View, port: PortNumber, chosenAt: number | null | undefined) =>
  view.advice[port].isPython && chosenAt !== view.status.ports[port].connectedAt;

/** Returns the ending of a port, and true if it is CR because of the board's prompt. */
export function useTypedEnding(port: PortNumber): { readonly lineEnding: LineEnding; readonly isAdapted: boolean } {
  const chosenAt = useTerminalPort(port, ({ typedAt }) => typedAt);
  const stored = useTerminalSettings(({ ports }) => ports[port].lineEnding);
  const isAdapted = useBenchStatus((view) => needsCr(view, port, chosenAt)) && stored === 'lf';
  return { lineEnding: isAdapted ? 'cr' : stored, isAdapted };
}

/** Stores the kind and the ending that the person has chosen for a port. */
export function chooseTyping(port: PortNumber, { mode, lineEnding }: TypedAs): void {
  changeTerminalPort(port, { typedAt: benchStatus.view.status.ports[port].connectedAt });
  changePort(port, { inputMode: mode, lineEnding });
}
