/** Command lines of the server's commands: through npm in a checkout, as `wirebench` in the image. */

/** Variable in which the image sets the name of its program. */
const PROGRAM = 'WIREBENCH_PROGRAM';

export type CommandName = 'accounts' | 'backup' | 'restore' | 'verify';

/**
 * Returns a command as the operator types it: `npm run accounts -- list`, or `wirebench accounts list` in the image.
 */
export function commandText(name: CommandName, args?: string): string {
  const program = process.env[PROGRAM];
  // npm keeps options for itself unless two dashes precede them.
  const [command, separator] = program === undefined ? [`npm run ${name}`, ' -- '] : [`${program} ${name}`, ' '];
  return args === undefined ? command : `${command}${separator}${args}`;
}
