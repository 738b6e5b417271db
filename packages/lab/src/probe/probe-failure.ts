/** Failures of the RAM program: the reasons that it reports, and failures of loading it. */
import { CodedError } from '../coded-error.ts';
import type { ProbeReason } from './frames.ts';

export type ProbeFailure = ProbeReason | 'load-refused' | 'not-started' | 'no-answer' | 'other-version';

const probeFailureText = {
  invalid: 'The bench program does not understand this request.',
  'wrong-checksum': 'The request was damaged on its way to the bench program.',
  'address-refused': 'The bench program does not read or write this address.',
  'out-of-range': 'A value of the request is out of its range.',
  'no-room': 'The bridge has no room for so many bytes.',
  'bridge-closed': 'The bridge is not open.',
  'i2c-no-acknowledge': 'An address or byte was not acknowledged.',
  'i2c-time-out': 'The I2C controller waited for the bus for too long. Read SDA and SCL: one may be held low.',
  'i2c-arbitration-lost':
    'The I2C controller lost the bus. Read SDA and SCL: one may be held low, or another master uses them.',
  'spi-never-finished': 'The SPI controller did not finish the transaction.',
  unknown: 'The bench program refused the request for a reason that this version does not know.',
  'load-refused': 'The ROM did not take the bench program into RAM. Reset the board and connect again.',
  'not-started':
    'The bench program was loaded, but did not report that it is running. Reset the board and connect again.',
  'no-answer': 'The bench program stopped answering. Reset the board and connect again.',
  'other-version': 'Another version of the bench program is running. Reset the board and connect again.',
} satisfies Record<ProbeFailure, string>;

export class ProbeError extends CodedError<ProbeFailure> {
  constructor(code: ProbeFailure, options?: ErrorOptions) {
    super('ProbeError', code, probeFailureText, options);
  }
}
