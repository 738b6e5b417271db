/** Ways in which a transfer ends. */

/**
 * - `cancelled`: by `signal`. `peer-cancelled`: by the other side.
 * - `no-answer`: the other side never spoke the protocol, or fell silent.
 * - `too-many-errors`: the same block failed too often. `out-of-step`: a block was lost for good.
 * - `no-batch-end`: all files so far are whole, and the sender never said whether more follow.
 * - `peer-left`: the other side prints text instead of the rest of a file.
 * - `still-asking`: stopped here, and the other side goes on.
 * - `closed`: the link was closed. `unreadable`: a file could not be read. `unstorable`: a file could not be stored.
 * - `too-large`: a file exceeds what the protocol or this side can hold.
 * - `refused`: the other side asked for something that is never done, such as running a command.
 */
export type TransferOutcome =
  | 'complete'
  | 'cancelled'
  | 'peer-cancelled'
  | 'no-answer'
  | 'too-many-errors'
  | 'out-of-step'
  | 'no-batch-end'
  | 'peer-left'
  | 'still-asking'
  | 'closed'
  | 'unreadable'
  | 'unstorable'
  | 'too-large'
  | 'refused';

/** Ends a transfer from inside of a protocol. */
export class TransferEnd extends Error {
  readonly outcome: Exclude<TransferOutcome, 'complete'>;

  constructor(outcome: Exclude<TransferOutcome, 'complete'>, options?: ErrorOptions) {
    super(`The transfer ended: ${outcome}`, options);
    this.name = 'TransferEnd';
    this.outcome = outcome;
  }
}
