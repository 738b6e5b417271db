/**
 * Coordinates boards with other tabs of Wirebench: reports the boards that this tab holds, and releases one on
 * request. During a recording it asks the user first. Other programs do not take part.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type HeldPort, type PortRequestAnswer, tabPortsOfPage } from '../../../hardware/tab-ports.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';
import { changeTerminalPort, terminalPortNow, useTerminalPort } from '../terminal-session.ts';

/** Returns this tab's part in the protocol. The first call starts it. */
export const getTabPorts = tabPortsOfPage({ held: heldPorts, asked });

export function usePortRequest(port: PortNumber): boolean {
  return useTerminalPort(port, ({ request }) => request !== null);
}

export function answerPortRequest(port: PortNumber, answer: PortRequestAnswer): void {
  terminalPortNow(port).request?.(answer);
}

/** Returns the boards that this tab has open. Simulated devices are excluded, because other tabs cannot open them. */
export function heldPorts(): HeldPort[] {
  const { status, devices, users } = benchStatus.tick;
  return portNumbers.flatMap((port) => {
    const { state, info } = status.ports[port];
    const open = state === 'connected' || state === 'disconnecting' || users[port] !== null;
    return open && info !== null && devices[port]?.kind === 'serial'
      ? [{ port, name: portName(terminalSettingsNow(), port), info }]
      : [];
  });
}

/** Handles another tab's request for port `number`. A port that this tab does not hold counts as released. */
export async function asked(number: number): Promise<PortRequestAnswer> {
  const port = portNumbers.find((known) => known === number && heldPorts().some((held) => held.port === known));
  if (port === undefined) {
    return 'released';
  }
  if (benchStatus.tick.users[port] !== null) {
    // A guest of the shared bench uses it. The host has to take it back first.
    return 'kept';
  }
  const isRecorded = benchStatus.tick.recordings.some(({ ports }) => ports.includes(port));
  if (isRecorded && (await ask(port)) === 'kept') {
    return 'kept';
  }
  const text = `Port ${port} was released: another Wirebench tab asked for it`;
  await reportingFailure(port, getBench().call('notice', 'info', text, port));
  await reportingFailure(port, getBench().call('disconnect', port));
  return 'released';
}

function ask(port: PortNumber): Promise<PortRequestAnswer> {
  // A new request replaces the pending one, which is answered with 'kept'.
  terminalPortNow(port).request?.('kept');
  return new Promise((resolve) => {
    const decide = (answer: PortRequestAnswer) => {
      changeTerminalPort(port, { request: null });
      resolve(answer);
    };
    changeTerminalPort(port, { request: decide });
  });
}
