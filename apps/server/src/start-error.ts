/**
 * The server cannot start, and a person can remedy the cause. Each line names a remedy. The process prints the lines
 * instead of a stack.
 */
export class StartError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
    this.name = 'StartError';
    this.lines = lines;
  }
}
