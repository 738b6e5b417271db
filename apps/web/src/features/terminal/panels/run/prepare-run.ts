/** Prepares the run of a panel, or returns the reason why it cannot send. */
import { endingOf, type PinnedMessage, type PreparedSteps, prepareSteps, type Refusable } from '@wirebench/runs';
import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import { blockedText, type PortStates } from '../../open-ports-of.ts';
import { type DevicePanel, noTarget } from '../model/device-panel.ts';
import { withChosenNumber } from './chosen-numbers.ts';

export interface PreparedRun extends PreparedSteps {
  readonly port: PortNumber;
}

/** Returns the panel's target port if it can send now, else the reason. */
export function openTarget(
  { pinnedTargetPort }: Pick<DevicePanel, 'pinnedTargetPort'>,
  states: PortStates,
): Refusable<{ readonly port: PortNumber }> {
  if (pinnedTargetPort === noTarget) {
    return { ok: false, reason: sessionFailureText['no-port-selected'] };
  }
  const state = states[pinnedTargetPort];
  if (state === 'connected') {
    return { ok: true, port: pinnedTargetPort };
  }
  const blocked = blockedText(pinnedTargetPort, state);
  if (blocked !== null) {
    return { ok: false, reason: blocked };
  }
  const text = sessionFailureText[state === 'disconnecting' ? 'send-while-disconnecting' : 'not-connected'];
  return { ok: false, reason: text.replace('{port}', String(pinnedTargetPort)) };
}

/**
 * Prepares messages for the panel's port, with the numbers that were chosen for them.
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
  return prepared.ok ? { ...prepared, port: target.port } : prepared;
}
