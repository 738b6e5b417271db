/** Prepares the run of a panel, or returns the reason why it cannot send. */
import { endingOf, type PinnedMessage, type PreparedSteps, prepareSteps, type Refusable } from '@wirebench/runs';
import { type PortNumber, portNumbers, sessionFailureText } from '@wirebench/serial';
import { blockedText, type PortStates } from '../../open-ports-of.ts';
import { allPorts, type DevicePanel, noTarget } from '../model/device-panel.ts';
import { withChosenNumber } from './chosen-numbers.ts';

export interface PreparedRun extends PreparedSteps {
  /** Ports that the commands go to, ascending. */
  readonly ports: readonly PortNumber[];
}

/** Returns the ports of the panel that can send now, at least one, else the reason. */
export function openTarget(
  { pinnedTargetPort }: Pick<DevicePanel, 'pinnedTargetPort'>,
  states: PortStates,
): Refusable<{ readonly ports: readonly PortNumber[] }> {
  if (pinnedTargetPort === allPorts) {
    const ports = portNumbers.filter((port) => states[port] === 'connected');
    return ports.length > 0 ? { ok: true, ports } : { ok: false, reason: 'No port is open. Connect one first.' };
  }
  if (pinnedTargetPort === noTarget) {
    return { ok: false, reason: sessionFailureText['no-port-selected'] };
  }
  const state = states[pinnedTargetPort];
  if (state === 'connected') {
    return { ok: true, ports: [pinnedTargetPort] };
  }
  const blocked = blockedText(pinnedTargetPort, state);
  if (blocked !== null) {
    return { ok: false, reason: blocked };
  }
  const text = sessionFailureText[state === 'disconnecting' ? 'send-while-disconnecting' : 'not-connected'];
  return { ok: false, reason: text.replace('{port}', String(pinnedTargetPort)) };
}

/** Returns the reason why the panel cannot send now; null if it can. */
export function sendFault(panel: Pick<DevicePanel, 'pinnedTargetPort'>, states: PortStates): string | null {
  const target = openTarget(panel, states);
  return target.ok ? null : target.reason;
}

/**
 * Prepares messages for the panel's ports, with the numbers that were chosen for them.
 *
 * @param messages All or some of the messages of `panel`.
 */
export function prepareRun(
  panel: DevicePanel,
  messages: readonly PinnedMessage[],
  states: PortStates,
): Refusable<PreparedRun> {
  const target = openTarget(panel, states);
  if (!target.ok) {
    return target;
  }
  const prepared = prepareSteps(messages.map(withChosenNumber), { all: panel.pinnedMessages, ending: endingOf(panel) });
  return prepared.ok ? { ...prepared, ports: target.ports } : prepared;
}
