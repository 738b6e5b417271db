/**
 * The errors of Web Serial with Chromium's messages. Users search for these texts; programs should not depend on
 * them.
 */
import type { LineError } from '../wire/device.ts';

const texts = {
  NetworkError: 'The device has been lost.',
  BreakError: 'Break received',
  FramingError: 'Framing error',
  ParityError: 'Parity error',
  BufferOverrunError: 'Buffer overrun',
} satisfies Record<string, string>;

const nameOfLineError = {
  break: 'BreakError',
  framing: 'FramingError',
  parity: 'ParityError',
  overrun: 'BufferOverrunError',
} satisfies Record<LineError, keyof typeof texts>;

/** Returns the error of a read after an error on the line. It is not fatal: `readable` then returns a new stream. */
export function lineErrorException(error: LineError): DOMException {
  const name = nameOfLineError[error];
  return new DOMException(texts[name], name);
}

/** Returns the error of reads and writes once the device is unplugged. */
export function deviceLost(): DOMException {
  return new DOMException(texts.NetworkError, 'NetworkError');
}

/** Returns the error of a method of `SerialPort`, in the form `Failed to execute 'open' on 'SerialPort': …`. */
export function failedCall(method: string, reason: string, name: string): DOMException {
  return new DOMException(callText(method, reason), name);
}

export function badArgument(method: string, reason: string): TypeError {
  return new TypeError(callText(method, reason));
}

function callText(method: string, reason: string): string {
  return `Failed to execute '${method}' on 'SerialPort': ${reason}`;
}
