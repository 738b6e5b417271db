/**
 * Commands for operators: accounts, backup, restore, verify. In a checkout they are started with `npm run accounts`
 * and its siblings, in the image with `wirebench accounts`. They use the server's configuration. docs/operating.md
 * explains each command.
 */
import { resolve } from 'node:path';
import { backUp, restore } from './backup/commands.ts';
import type { BackupSummary } from './backup/create-backup.ts';
import { type CommandName, commandText } from './command-line/command-name.ts';
import { readNewPassword } from './command-line/read-password.ts';
import type { Environment } from './config.ts';
import { loadEnvironment } from './environment.ts';
import { runAccountCommand } from './identity/embedded/account-commands.ts';
import { StartError } from './start-error.ts';
import { isSound, verify, verifyReport } from './verify/command.ts';

/** Usage of the commands that have a single usage line. `accounts` has its own text. */
const usages = {
  backup: `Usage: ${commandText('backup', '<file>')}`,
  restore: `Usage: ${commandText('restore', '<file>')}`,
  verify: `Usage: ${commandText('verify', '[--repair]')}`,
} as const;

const helpWords: ReadonlySet<string> = new Set(['--help', '-h', 'help']);

/**
 * Runs a command and prints its result.
 *
 * @returns The exit code.
 * @throws StartError with the remedy for the operator.
 */
type Command = (args: readonly string[]) => Promise<number>;

const commands: Readonly<Record<CommandName, Command>> = {
  accounts: async (args) => {
    const lines = await runAccountCommand([...args], {
      environment: { ...loadEnvironment() },
      readPassword: readNewPassword,
    });
    console.log(lines.join('\n'));
    return 0;
  },
  backup: (args) => runOnFile('backup', args, backUp, 'Backed up'),
  restore: (args) => runOnFile('restore', args, restore, 'Restored'),
  verify: async ([option, ...more]) => {
    if ((option !== undefined && option !== '--repair') || more.length > 0) {
      throw new StartError([usages.verify]);
    }
    const result = await verify(loadEnvironment(), { repair: option === '--repair' });
    console.log(verifyReport(result));
    return isSound(result) ? 0 : 1;
  },
};

/**
 * Runs `work` on the file named on the command line. An option is not accepted as a file: `./-x` names a file that
 * begins with a dash.
 */
async function runOnFile(
  name: 'backup' | 'restore',
  [file, ...more]: readonly string[],
  work: (environment: Environment, file: string) => Promise<BackupSummary>,
  done: string,
): Promise<number> {
  if (file === undefined || file.startsWith('-') || more.length > 0) {
    throw new StartError([usages[name]]);
  }
  // npm changes the working directory to the project's and keeps the operator's in INIT_CWD.
  const summary = await work({ ...loadEnvironment() }, resolve(process.env['INIT_CWD'] ?? '.', file));
  console.log(`${done}: ${summary.files} files, ${(summary.bytes / 1_000_000).toFixed(1)} MB, ${summary.file}`);
  return 0;
}

const usage = `Usage: ${process.env['WIREBENCH_PROGRAM'] ?? 'node apps/server/src/cli.ts'} <command>

${commandText('accounts')}   people who may sign in, where the server keeps its own accounts
${commandText('backup')}     copies everything that an embedded server keeps into one file
${commandText('restore')}    restores such a file into an empty DATA_DIR
${commandText('verify')}     compares the stored files with the database`;

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (!isCommand(name)) {
    if (helpWords.has(name)) {
      console.log(usage);
      return 0;
    }
    console.error(name === '' ? usage : `There is no command ${name}.\n\n${usage}`);
    return 1;
  }
  if (name !== 'accounts' && args.length === 1 && helpWords.has(args[0] ?? '')) {
    console.log(usages[name]);
    return 0;
  }
  try {
    return await commands[name](args);
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
    console.error(error.lines.join('\n'));
    return 1;
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

process.exitCode = await main(process.argv.slice(2));
