/** Failures of Improv, each with a code for programs and a sentence for people. */

export type ImprovFailure =
  | 'no-answer'
  | 'not-understood'
  | 'unknown-command'
  | 'unable-to-connect'
  | 'gave-up'
  | 'too-slow'
  | 'not-authorized'
  | 'bad-hostname'
  | 'board-error'
  | 'closed'
  | 'cancelled';

const improvFailureText = {
  'no-answer':
    'The board did not answer. Check that its program has started and supports Improv over this port, then try again.',
  'not-understood': 'The board did not understand what was sent. Check the cable and the baud rate, then try again.',
  'unknown-command': 'The program on the board does not support this.',
  'unable-to-connect':
    'The board could not connect to the network. It does not say why: check the password, and that the network is in reach.',
  'gave-up': 'The board stopped connecting and did not say why. Check the password, then try again.',
  'too-slow':
    'The board was still connecting after 90 seconds. Wait for it or restart it, then look at its state again.',
  'not-authorized': 'The board does not accept settings yet. Press its button if it has one, then try again.',
  'bad-hostname': 'The board does not accept this name. Use letters, digits and hyphens.',
  'board-error': 'The board reports an error that it does not name. Restart it, then try again.',
  closed: 'The port was closed in the middle. Connect again, then repeat it.',
  cancelled: 'Stopped. The board may still use what was sent.',
} as const satisfies Record<ImprovFailure, string>;

/** A failure of Improv. Its message is a whole sentence for people. */
export class ImprovError extends Error {
  readonly code: ImprovFailure;

  constructor(code: ImprovFailure, options?: ErrorOptions) {
    super(improvFailureText[code], options);
    this.name = 'ImprovError';
    this.code = code;
  }
}
