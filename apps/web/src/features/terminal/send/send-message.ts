/** Checks and encodes a message of the send bar. */
import {
  type EncodedInput,
  encodeEscaped,
  encodeInput,
  type LineEnding,
  type PortNumber,
  portNumbers,
  sessionFailureText,
} from '@wirebench/serial';
import { blockedText, type PortStates } from '../open-ports-of.ts';
import type { SendMode } from '../settings/terminal-settings.ts';

export interface Message {
  readonly text: string;
  readonly mode: SendMode;
  readonly lineEnding: LineEnding;
}

/** Returns the bytes of a message for `port`, or the reason why it cannot be sent. */
export function prepareMessage(
  { text, mode, lineEnding }: Message,
  port: PortNumber,
  states: PortStates,
): EncodedOrRefused {
  const refusal = portRefusal(port, states);
  if (refusal !== null) {
    return { ok: false, message: refusal };
  }
  return mode === 'escapes' ? encodeEscaped(text, lineEnding) : encodeInput(text, mode, lineEnding);
}

export type EncodedOrRefused = Extract<EncodedInput, { ok: true }> | { readonly ok: false; readonly message: string };

function portRefusal(port: PortNumber, states: PortStates): string | null {
  if (states[port] === 'connected') {
    return null;
  }
  if (states[port] === 'disconnecting') {
    return sessionFailureText['send-while-disconnecting'].replace('{port}', String(port));
  }
  const blocked = blockedText(port, states[port]);
  if (blocked !== null) {
    return blocked;
  }
  const anyConnected = portNumbers.some((other) => states[other] === 'connected');
  return sessionFailureText[anyConnected ? 'no-port-selected' : 'no-port-connected'];
}

/** Returns the fault of a text that is too long, to show while typing, or null. */
export function lengthFault(text: string): string | null {
  const encoded = encodeInput(text, 'text', 'none');
  return !encoded.ok && encoded.code === 'too-long' ? encoded.message : null;
}

/** Returns the number of bytes in hex input. An odd digit counts as a byte, because it is padded. */
export function hexBytes(text: string): number {
  return Math.ceil(text.replaceAll(/[^0-9a-f]/gi, '').length / 2);
}
