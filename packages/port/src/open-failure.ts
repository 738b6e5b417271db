/** Classifies why a device did not open, from the single error that a browser gives. */
import { errorName } from './error-name.ts';

export type OpenFailure = 'busy' | 'permission-denied' | 'device-gone' | 'bad-settings' | 'open-failed';

/** A failed open. `cause` is the system's error. */
export class OpenError extends Error {
  readonly code: OpenFailure;

  constructor(code: OpenFailure, cause: unknown) {
    super(`The port could not be opened: ${code}.`, { cause });
    this.name = 'OpenError';
    this.code = code;
  }
}

/**
 * Classifies an error of opening `device`. An `OpenError` is returned as it is. Ports over WebUSB reject with the only
 * name that Web Serial has, and with a `NotSupportedError` as the cause if the adapter lacks a setting.
 */
export function openErrorOf(error: unknown, device: SerialPort): OpenError {
  if (error instanceof OpenError) {
    return error;
  }
  const cause = (error as { readonly cause?: unknown } | null)?.cause;
  const own = errorName(cause) === 'NotSupportedError' ? cause : error;
  return new OpenError(openFailureOf(errorName(own), device), own);
}

/**
 * Classifies an error of `SerialPort.open` by its name (W3C Web Serial, `open()`; Chromium 156). A port that another
 * program holds and a port that the account may not open give the same NetworkError, so both count as `busy`.
 */
function openFailureOf(name: string, device: SerialPort): OpenFailure {
  switch (name) {
    case 'InvalidStateError':
    case 'NetworkError':
      // `connected` is undefined in browsers that do not have it yet.
      return device.connected === false ? 'device-gone' : 'busy';
    case 'SecurityError':
    case 'NotAllowedError':
      return 'permission-denied';
    case 'NotFoundError':
      return 'device-gone';
    case 'TypeError':
    case 'NotSupportedError':
      return 'bad-settings';
    default:
      return 'open-failed';
  }
}
