/** The errors of Web Serial with Chromium's words, which people search for and programs should not depend on. */
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

/** What a read rejects with after an error on the line. Not fatal: `readable` then gives a new stream. */
export function lineErrorException(error: LineError): DOMException {
  const name = nameOfLineError[error];
  return new DOMException(texts[name], name);
}

/** What reads and writes reject with once the device is gone. */
export function deviceLost(): DOMException {
  return new DOMException(texts.NetworkError, 'NetworkError');
}

/** A rejection of a method of `SerialPort`, in the form `Failed to execute 'open' on 'SerialPort': …`. */
export function failedCall(method: string, reason: string, name: string): DOMException {
  return new DOMException(callText(method, reason), name);
}

export function badArgument(method: string, reason: string): TypeError {
  return new TypeError(callText(method, reason));
}

function callText(method: string, reason: string): string {
  return `Failed to execute '${method}' on 'SerialPort': ${reason}`;
}
