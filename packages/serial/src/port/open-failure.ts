/** Why a device did not open, read from the one error that a browser gives. Knows no texts. */
import { errorName } from './error-name.ts';

export type OpenFailure = 'busy' | 'permission-denied' | 'device-gone' | 'bad-settings' | 'open-failed';

/** Its cause is what the system said. */
export class OpenError extends Error {
  readonly code: OpenFailure;

  constructor(code: OpenFailure, cause: unknown) {
    super(`The port could not be opened: ${code}.`, { cause });
    this.name = 'OpenError';
    this.code = code;
  }
}

/** What went wrong with opening `device`; an error that has been classified before stays as it is. */
export function openErrorOf(error: unknown, device: SerialPort): OpenError {
  return error instanceof OpenError ? error : new OpenError(openFailureOf(errorName(error), device), error);
}

/**
 * What an error of `SerialPort.open` means (W3C Web Serial, `open()`; Chromium 156). A port that another program holds and a
 * port that the account may not open both come as the same NetworkError: nobody can tell them apart here.
 */
function openFailureOf(name: string, device: SerialPort): OpenFailure {
  switch (name) {
    case 'InvalidStateError':
    case 'NetworkError':
      // Undefined in browsers that do not know `connected` yet.
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
