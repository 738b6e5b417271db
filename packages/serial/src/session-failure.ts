/** Failures between a bench and its ports, each with a code for programs and a text for people. */
import type { OpenFailure } from '@wirebench/port';
import type { PortNumber } from './port-number.ts';

export type SessionFailure =
  | OpenFailure
  | 'open-here'
  | 'no-memory'
  | 'unsupported'
  | 'no-port-connected'
  | 'no-port-selected'
  | 'already-connected'
  | 'already-connecting'
  | 'not-connected'
  | 'connect-while-disconnecting'
  | 'send-while-disconnecting'
  | 'signals-while-disconnecting'
  | 'already-sending'
  | 'send-while-transferring'
  | 'send-while-board-files'
  | 'send-while-improv'
  | 'send-while-modbus-search'
  | 'send-while-modbus-poll'
  | 'transfer-while-repeating'
  | 'transfer-elsewhere'
  | 'improv-elsewhere'
  | 'modbus-search-elsewhere'
  | 'modbus-poll-elsewhere'
  | 'already-resetting'
  | 'already-finding'
  | 'cancelled'
  | 'receive-failed'
  | 'send-failed'
  | 'send-stopped'
  | 'send-cut'
  | 'hold-while-sending'
  | 'hidden-from-host'
  | 'signals-failed';

/** Texts by failure. `{port}` is the port's number, `{detail}` the system's message. */
export const sessionFailureText = {
  unsupported: 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).',
  'no-port-connected': 'No ports are connected',
  'no-port-selected': 'Please select a connected port first',
  'already-connected': 'Port {port} is already connected',
  'already-connecting': 'Port {port} is already connecting',
  'not-connected': 'Port {port} is not connected',
  'connect-while-disconnecting': 'Cannot connect - Port {port} is disconnecting',
  'send-while-disconnecting': 'Cannot send data - Port {port} is disconnecting',
  'signals-while-disconnecting': 'Cannot change signals - Port {port} is disconnecting',
  'already-sending': 'Port {port} is already sending a file',
  'send-while-transferring': 'Port {port} is transferring a file. Wait until it is done, or stop it.',
  'send-while-board-files': 'Board files is working on Port {port}. Wait until it is done, or stop it there.',
  'send-while-improv': 'Wi-Fi is being set up on Port {port}. Wait until it is done, or stop it.',
  'send-while-modbus-poll': 'The registers of port {port} are polled. Wait for the end of the round, or stop it.',
  'send-while-modbus-search': 'Port {port} is searched for devices. Wait until it is done, or stop it.',
  'transfer-while-repeating': 'Stop repeating on Port {port} first, then transfer the file.',
  'transfer-elsewhere':
    'Port {port} is on a shared bench: only its host can transfer files by XMODEM, YMODEM or ZMODEM there.',
  'improv-elsewhere': 'Port {port} is on a shared bench: only its host can set up Wi-Fi on its board.',
  'modbus-poll-elsewhere': 'On a shared bench only its host can poll registers.',
  'modbus-search-elsewhere': 'On a shared bench only its host can look for Modbus devices.',
  'already-resetting': 'The board on Port {port} is already being reset',
  'already-finding': 'The baud finder is already running on Port {port}',
  'open-here': 'Error connecting to Port {port}: this board is already open on another port of this page.',
  busy:
    'Error connecting to Port {port}: the board could not be opened. Close other programs and tabs that use it, ' +
    'and check that this account may use serial ports.',
  'permission-denied': 'Serial permission denied: {detail}',
  'device-gone': 'Error connecting to Port {port}: the board is gone. Plug it in and pick it again.',
  'bad-settings': 'Error connecting to Port {port}: these settings are not supported. {detail}',
  'no-memory': 'Error connecting to Port {port}: not enough memory for its buffer. Choose a smaller one.',
  'open-failed': 'Error connecting to Port {port}: {detail}',
  cancelled: 'Connecting to Port {port} was cancelled',
  'receive-failed': 'Receiving from Port {port} failed: {detail}',
  'send-failed': 'Sending to Port {port} failed: {detail}',
  'send-stopped': 'Stopped: {detail} went to Port {port}.',
  'send-cut': 'Port {port} was closed: {detail} went to it.',
  'hold-while-sending': 'Text is still being sent to Port {port}. Wait until it is done, or stop it.',
  'hidden-from-host':
    'Port {port} belongs to a shared bench whose host has an older Wirebench. It shows what is sent, so that it cannot be hidden. Switch off Hide input.',
  'signals-failed': 'The control lines of Port {port} could not be changed: {detail}',
} satisfies Record<SessionFailure, string>;

/** A failure of a port. Its message is a whole sentence for the user of the bench. */
export class SessionError extends Error {
  readonly code: SessionFailure;

  constructor(code: SessionFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SessionError';
    this.code = code;
  }
}

/**
 * Creates the error of a failure.
 *
 * @param cause Error of the system; its message becomes the detail.
 */
export function sessionError(code: SessionFailure, port: PortNumber, cause?: unknown): SessionError {
  const message = sessionFailureText[code]
    .replace('{port}', `${port}`)
    .replace('{detail}', () => (hasMessage(cause) ? cause.message : 'unknown error'));
  return new SessionError(code, message, { cause });
}

function hasMessage(error: unknown): error is Error | DOMException {
  return error instanceof Error || error instanceof DOMException;
}
