/** Prepares the steps of a run from messages, or returns the reason why they cannot be sent. */
import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import { blockedText, type PortStates } from '../../open-ports-of.ts';
import { type DevicePanel, endingOf, noTarget } from '../model/device-panel.ts';
import { encodeMessage, type PinnedMessage } from '../model/pinned-message.ts';
import { quoted } from '../model/quoted.ts';
import type { RunStep } from './run-steps.ts';

export type Refusable<Value> = ({ readonly ok: true } & Value) | { readonly ok: false; readonly reason: string };

export interface PreparedRun {
  readonly port: PortNumber;
  readonly messages: readonly PinnedMessage[];
  /** One step for each message. */
  readonly steps: readonly RunStep[];
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
 * Encodes messages as steps of a run.
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
  const steps: RunStep[] = [];
  for (const message of messages) {
    const encoded = encodeMessage(message, endingOf(panel));
    const answer = message.expect === null ? null : encodeMessage(message.expect, 'none');
    if (!encoded.ok) {
      return { ok: false, reason: `${quoted(message)}: ${encoded.message}` };
    }
    if (answer?.ok === false) {
      return { ok: false, reason: `${quoted(message)}: ${answer.message}` };
    }
    const { id: messageId, timeoutMs, delayMs, repeat } = message;
    steps.push({
      messageId,
      bytes: encoded.bytes,
      answer: answer?.bytes ?? null,
      fileBy: message.file?.by ?? null,
      timeoutMs,
      delayMs,
      repeat,
    });
  }
  return { ok: true, port: target.port, messages, steps };
}
