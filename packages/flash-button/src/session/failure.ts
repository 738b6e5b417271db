/** Turns any error of a session into a code, a sentence and a remedy. */
import { FlashError } from '@wirebench/flasher/core';
import { FileFault } from '@wirebench/flasher/images';
import { ManifestError } from '@wirebench/flasher/release';
import { OpenError } from '@wirebench/port';
import type { RemedyOf } from '../boards/button-board.ts';
import type { WirebenchFailureDetail } from '../public-types.ts';

const anotherWay = 'Try again with a shorter cable, or at another USB port of the computer.';

/** Remedies in place of those that name settings of the flasher, which this dialog does not have: baud rate and stub. */
const ownRemedies: Readonly<Record<string, string>> = {
  'baud-refused': anotherWay,
  'read-failed': anotherWay,
  'stub-failed': anotherWay,
};

/** @param remedyOf Remedies of the board's family. */
export function failureOf(error: unknown, remedyOf: RemedyOf = () => ''): WirebenchFailureDetail {
  if (error instanceof FlashError) {
    const { code, message, state } = error;
    return { code, message, remedy: ownRemedies[code] ?? remedyOf(code), boardState: state };
  }
  const boardState = 'unchanged';
  if (error instanceof ManifestError) {
    return { code: error.code, message: error.what, remedy: error.remedy, boardState };
  }
  if (error instanceof FileFault) {
    return { code: error.code, message: error.message, remedy: '', boardState };
  }
  if (error instanceof OpenError) {
    return {
      code: error.code,
      message: 'The port could not be opened.',
      remedy: 'Close other programs and tabs that use it, then try again.',
      boardState,
    };
  }
  if (error instanceof DOMException && (error.name === 'SecurityError' || error.name === 'NotAllowedError')) {
    return {
      code: 'permission-denied',
      message: 'The browser does not let this page use the board.',
      remedy:
        'A frame around this page needs allow="serial; usb". Otherwise allow the site to use devices, then try again.',
      boardState,
    };
  }
  if (error instanceof TypeError && /import|module|fetch/i.test(error.message)) {
    return {
      code: 'not-loaded',
      message: 'A part of the flasher could not be loaded.',
      remedy: 'Check the connection to the network, then try again.',
      boardState,
    };
  }
  return {
    code: 'unexpected',
    message: `The flasher met an error that it does not know: ${error instanceof Error ? error.message : String(error)}`,
    remedy: 'Reload the page, then try again.',
    boardState,
  };
}

/** Failures after which a board has to be connected again. After others it still answers. */
export const needsConnection = (code: string): boolean => code !== 'cancelled';
