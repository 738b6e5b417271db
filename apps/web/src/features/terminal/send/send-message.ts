/** Checks and encodes a message of the send bar. */
import {
  type EncodedInput,
  encodeEscaped,
  encodeInput,
  hexText,
  inputFailureText,
  type LineEnding,
  maxInputLength,
  type PortNumber,
  parseHexInput,
  portNumbers,
  sessionFailureText,
} from '@wirebench/serial';
import { blockedText, type PortStates } from '../open-ports-of.ts';
import type { SendMode } from '../settings/terminal-settings.ts';

/** Kind of a typed text, and the ending that is sent after it. */
export interface TypedAs {
  readonly mode: SendMode;
  readonly lineEnding: LineEnding;
}

export interface Message extends TypedAs {
  readonly text: string;
}

export interface MessageRules {
  /** True: the text must be hidden, but the port's host would record it. */
  readonly cannotHide?: boolean;
  /** True: it is no command: pasted text, or a text that is sent once. It may have any length. */
  readonly isLong?: boolean;
  /** Encodes what is typed as a frame, for whichever port it is sent to: the bytes that the field shows. */
  readonly encodeFrame?: (text: string) => EncodedOrRefused;
}

/** Returns the bytes of a message for `port`, or the reason why it cannot be sent. */
export function prepareMessage(
  { text, ...how }: Message,
  port: PortNumber,
  states: PortStates,
  { cannotHide = false, isLong = false, encodeFrame }: MessageRules = {},
): EncodedOrRefused {
  const refusal =
    portRefusal(port, states) ??
    (cannotHide ? sessionFailureText['hidden-from-host'].replace('{port}', String(port)) : null);
  if (refusal !== null) {
    return { ok: false, message: refusal };
  }
  return how.mode === 'frame' && encodeFrame !== undefined ? encodeFrame(text) : encodeTyped(text, how, isLong);
}

/**
 * Returns the bytes of a text, or the reason why it has none.
 *
 * @param isLong True: it may be longer than a command.
 */
export function encodeTyped(text: string, { mode, lineEnding }: TypedAs, isLong = false): EncodedOrRefused {
  if (mode === 'frame') {
    return { ok: false, message: 'Frames are sent one at a time.' };
  }
  const limit = isLong ? Number.POSITIVE_INFINITY : maxInputLength;
  return mode === 'escapes' ? encodeEscaped(text, lineEnding, limit) : encodeInput(text, mode, lineEnding, limit);
}

export type EncodedOrRefused = Extract<EncodedInput, { ok: true }> | { readonly ok: false; readonly message: string };

/** Returns the reason why `port` takes no message now, or null if it does. */
export function portRefusal(port: PortNumber, states: PortStates): string | null {
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

/** Returns the fault of a command that is too long, to show while typing, or null. */
export const lengthFault = (text: string): string | null =>
  text.length > maxInputLength ? inputFailureText['too-long'] : null;

/** Bytes as they will be sent, in pairs of digits. */
export interface BytesPreview {
  readonly pairs: string;
  readonly count: number;
}

export const bytesPreview = (bytes: Uint8Array): BytesPreview => ({ pairs: hexText(bytes), count: bytes.length });

/** Returns the bytes of hex input; null for input that is not hex. */
export function hexPreview(text: string): BytesPreview | null {
  const hex = parseHexInput(text);
  return hex === null ? null : bytesPreview(hex.bytes);
}
