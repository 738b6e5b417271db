/** Exit codes of the program, which scripts rely on. */

export const exitCodes = {
  ok: 0,
  /**
   * The board, the test or the server says no: the awaited text did not come, a write failed, a log has no crash
   * that the ELF files know or no frame, a line no device, a version was not published, or a shared bench has ended.
   */
  failed: 1,
  /** Wrong use: an unknown command, option or value. */
  usage: 2,
  /** A port is not there, cannot be opened, or was lost, or no bootloader answered. */
  noPort: 3,
  /** A plan refuses what was asked for. */
  refused: 4,
  /** Ended by SIGHUP: the terminal was closed. As shells have it, the codes of signals are 128 and their number. */
  hungUp: 129,
  /** Ended by SIGINT: Ctrl+C. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Lines of `wirebench help` and of the manual page. */
export const exitCodeTexts: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'done'],
  [
    exitCodes.failed,
    'the answer is no: awaited text did not come, a test, a write or an upload failed, there is no crash, no frame or no device, or sharing ended',
  ],
  [exitCodes.usage, 'wrong use'],
  [exitCodes.noPort, 'a port is not there, cannot be opened, or was lost, or no bootloader answered'],
  [exitCodes.refused, 'refused by the plan, or a question without a terminal to ask on'],
  [exitCodes.hungUp, 'its terminal was closed (SIGHUP)'],
  [exitCodes.interrupted, 'interrupted with Ctrl+C (SIGINT)'],
  [exitCodes.terminated, 'ended by SIGTERM'],
];

/** A failure that ends the program with one sentence on standard error. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
