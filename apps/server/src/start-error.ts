/**
 * The start cannot go on, and a person can do something about it: each line says what. Whoever runs the process prints the
 * lines in place of a stack.
 */
export class StartError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
    this.name = 'StartError';
    this.lines = lines;
  }
}
