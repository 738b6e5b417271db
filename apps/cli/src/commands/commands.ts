/**
 * The table of commands. Parsing, help, completion and the manual page are made from it, so that none of them can lack
 * a command or an option.
 */
import { boardCommands } from './board-commands.ts';
import type { Command } from './command.ts';
import { contentCommands } from './content-commands.ts';
import { portCommands } from './port-commands.ts';
import { portlessCommands } from './portless-commands.ts';

export const commands: readonly Command[] = [
  ...portCommands,
  ...boardCommands,
  ...contentCommands,
  ...portlessCommands,
];
