/**
 * The command `npm run accounts`: parses its arguments and changes the accounts. It works on the data folder, whether
 * or not a server is running. The caller provides the password. It is never an argument, because other users of the
 * machine could read it.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '@wirebench/clock';
import { commandText } from '../../command-line/command-name.ts';
import { type Environment, readConfig } from '../../config.ts';
import { StartError } from '../../start-error.ts';
import { openDataFolder } from '../../storage/data-folder.ts';
import { openAccounts } from './embedded-identity.ts';
import { type LocalAccounts, type LocalRole, localRoles, type NameFault, nameFaultOf } from './local-accounts.ts';
import { hashPassword, passwordFaultOf, passwordFaultText, passwordLimits } from './password.ts';

export const accountsUsage = `Usage: ${commandText('accounts', '<command>')}

  add <name> [--admin]      creates an account
  passwd <name>             sets a new password and ends the account's sessions
  role <name> user|admin    changes what the account may do, from its next request on
  disable <name>            disables the account and ends its sessions
  enable <name>             lets it sign in again
  list                      shows all accounts

add and passwd ask for a password of at least ${passwordLimits.shortest} characters, or read it from the standard input:
${commandText('accounts', 'add me')} < file-with-the-password

The server may be running. Creating the first account removes the demo accounts.`;

const nameFaultText = {
  invalid: 'A name has 1 to 40 letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.',
  reserved: 'This name is reserved: choose another one.',
} satisfies Record<NameFault, string>;

export interface AccountCommandOptions {
  readonly environment: Environment;
  /** Asks a person for a password, or reads it from the standard input. */
  readonly readPassword: (username: string) => Promise<string>;
}

/**
 * Runs the command and returns the lines to print.
 *
 * @throws StartError with the remedy.
 */
export async function runAccountCommand(
  args: readonly string[],
  { environment, readPassword }: AccountCommandOptions,
): Promise<readonly string[]> {
  const command = commandOf(args);
  if (command === 'help') {
    return [accountsUsage];
  }
  const { identity, dataDir } = readConfig(environment);
  if (identity.kind === 'external') {
    throw new StartError([
      'OIDC_URL or OIDC_ISSUER is set, so people sign in at that provider: keep the accounts there, or remove the setting.',
    ]);
  }
  const { database, local } = await openAccounts(await openDataFolder(dataDir), systemClock);
  try {
    return await command(local, readPassword);
  } finally {
    database.close();
  }
}

type Command = (
  accounts: LocalAccounts,
  readPassword: AccountCommandOptions['readPassword'],
) => readonly string[] | Promise<readonly string[]>;

function commandOf(args: readonly string[]): Command | 'help' {
  const { values, positionals } = parsed(args);
  const [word, name, role, ...more] = positionals;
  if (values.help === true || (word === 'help' && name === undefined)) {
    return 'help';
  }
  const isRight = (count: number) =>
    positionals.length === count && more.length === 0 && (values.admin !== true || word === 'add');
  if (word === 'list' && isRight(1)) {
    return listAccounts;
  }
  if (name !== undefined && isRight(2)) {
    switch (word) {
      case 'add':
        return addAccount(name, values.admin === true ? 'admin' : 'user');
      case 'passwd':
        return changePassword(name);
      case 'disable':
        return (accounts) => [done(accounts.disable(name), name, `${name} is disabled and signed out.`)];
      case 'enable':
        return (accounts) => [done(accounts.enable(name), name, `${name} may sign in again.`)];
    }
  }
  const known = localRoles.find((candidate) => candidate === role);
  if (word === 'role' && name !== undefined && known !== undefined && isRight(3)) {
    return (accounts) => [done(accounts.setRole(name, known), name, `${name} has the role ${known} now.`)];
  }
  throw new StartError([accountsUsage]);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { admin: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    // Without the parser's message, which repeats an argument that may have been meant as a password.
    throw new StartError([accountsUsage], { cause: error });
  }
}

function addAccount(name: string, role: LocalRole): Command {
  return async (accounts, readPassword) => {
    const fault = nameFaultOf(name);
    if (fault !== null) {
      throw new StartError([nameFaultText[fault]]);
    }
    const taken = new StartError([
      `The account ${name} already exists: use passwd, role, disable or enable to change it.`,
    ]);
    if (accounts.withName(name) !== null) {
      throw taken;
    }
    const password = await newPassword(name, readPassword);
    const isFirst = !accounts.exist();
    if (!accounts.add({ username: name, role, password })) {
      throw taken;
    }
    return [
      `${name} may sign in${role === 'admin' ? ' and is an administrator' : ''}.`,
      ...(isFirst ? ['The demo accounts are removed, and their users are signed out.'] : []),
    ];
  };
}

function changePassword(name: string): Command {
  return async (accounts, readPassword) => {
    const account = accounts.withName(name);
    if (account === null) {
      throw unknownAccount(name);
    }
    const password = await newPassword(account.username, readPassword);
    return [
      done(accounts.setPassword(name, password), name, `${name} has a new password and is signed out everywhere.`),
    ];
  };
}

async function newPassword(name: string, readPassword: AccountCommandOptions['readPassword']): Promise<string> {
  const password = await readPassword(name);
  const fault = passwordFaultOf(password, name);
  if (fault !== null) {
    throw new StartError([passwordFaultText[fault]]);
  }
  return hashPassword(password);
}

function listAccounts(accounts: LocalAccounts): readonly string[] {
  const all = accounts.list();
  if (all.length === 0) {
    return [
      `There are no accounts yet: people use the demo accounts. Create one with: ${commandText('accounts', 'add <name>')}`,
    ];
  }
  const width = Math.max(...all.map(({ username }) => username.length));
  return all.map(({ username, role, isDisabled }) =>
    `${username.padEnd(width)}  ${role.padEnd('admin'.length)}  ${isDisabled ? 'disabled' : ''}`.trimEnd(),
  );
}

function done(isDone: boolean, name: string, line: string): string {
  if (!isDone) {
    throw unknownAccount(name);
  }
  return line;
}

function unknownAccount(name: string): StartError {
  return new StartError([`There is no account ${name}: ${commandText('accounts', 'list')} shows all.`]);
}
