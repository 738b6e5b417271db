import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { accounts } from '../../testing/local-accounts.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { accountsUsage, runAccountCommand } from './account-commands.ts';

const password = 'correct horse battery';

describe('npm run accounts', () => {
  it('keeps accounts before a server ever ran, readable by their owner only', async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    await accounts(dataDir, ['add', 'me', '--admin'], password);
    await accounts(dataDir, ['add', 'Änne'], password);
    await accounts(dataDir, ['disable', 'änne']);
    expect(await accounts(dataDir, ['list'])).toEqual(['me    admin', 'Änne  user   disabled']);
    expect((await stat(join(dataDir, 'identity.sqlite'))).mode & 0o077).toBe(0);
    expect((await stat(dataDir)).mode & 0o077).toBe(0);
  });

  it('stores no password that anybody could read', async () => {
    await using folder = await temporaryFolder();
    await accounts(folder.path, ['add', 'me'], password);
    using database = new DatabaseSync(join(folder.path, 'identity.sqlite'));
    expect(JSON.stringify(database.prepare('select * from account').all())).not.toContain(password);
  });

  it.each<[readonly string[], string, string]>([
    [['add', 'me'], 'short', 'The password must have at least 12 characters.'],
    [['add', 'melanie'], 'Melanie is here', 'The password must not contain the name of the account.'],
    [['add', 'me@example.org'], password, 'A name has 1 to 40 letters, digits, dots, hyphens and underscores'],
    [['add', ' '], password, 'A name has 1 to 40 letters'],
    [['add', 'x'.repeat(41)], password, 'A name has 1 to 40 letters'],
    [['add', 'WireBench'], password, 'This name is reserved'],
    [['add', 'TAKEN'], password, 'The account TAKEN already exists'],
    [['passwd', 'nobody'], password, 'There is no account nobody'],
    [['role', 'nobody', 'admin'], '', 'There is no account nobody'],
    [['disable', 'nobody'], '', 'There is no account nobody'],
    [['enable', 'nobody'], '', 'There is no account nobody'],
  ])('%j is one line that says what to do', async (args, typed, line) => {
    await using folder = await temporaryFolder();
    await accounts(folder.path, ['add', 'taken'], password);
    await expect(accounts(folder.path, args, typed)).rejects.toThrow(line);
    expect(await accounts(folder.path, ['list'])).toEqual(['taken  user']);
  });

  it.each([
    [[]],
    [['add']],
    [['add', 'me', password]],
    [['add', 'me', '--password', password]],
    [['role', 'me']],
    [['role', 'me', 'root']],
    [['role', 'me', 'user', '--admin']],
    [['list', 'me']],
    [['remove', 'me']],
    [['__proto__']],
  ])('%j explains the commands, and takes no password from the command line', async (args) => {
    await using folder = await temporaryFolder();
    const refused = accounts(folder.path, args, password);
    await expect(refused).rejects.toThrow(accountsUsage);
    await expect(refused).rejects.not.toThrow(password);
  });

  it.each([['--help'], ['help'], ['-h'], ['add', '--help']])('%s explains the commands', async (...args) => {
    await using folder = await temporaryFolder();
    expect(await accounts(join(folder.path, 'none'), args)).toEqual([accountsUsage]);
  });

  it('knows that there are demo accounts as long as there are no others', async () => {
    await using folder = await temporaryFolder();
    expect((await accounts(folder.path, ['list'])).join()).toContain('people use the demo accounts');
  });

  it('makes one account of two commands at the same time', async () => {
    await using folder = await temporaryFolder();
    const both = await Promise.allSettled([
      accounts(folder.path, ['add', 'me'], password),
      accounts(folder.path, ['add', 'ME'], password),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await accounts(folder.path, ['list'])).toHaveLength(1);
  });

  it('leaves accounts of another provider to that provider', async () => {
    const environment = { OIDC_URL: 'https://id.example.org' };
    const readPassword = async () => password;
    await expect(runAccountCommand(['add', 'me'], { environment, readPassword })).rejects.toThrow(
      'people sign in at that provider',
    );
  });
});
