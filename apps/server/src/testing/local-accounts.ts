/** Accounts created as an operator does, and servers that have them. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';
import { runAccountCommand } from '../identity/embedded/account-commands.ts';
import type { Credentials } from './sign-in.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startTestServer, type TestServer } from './test-server.ts';

export const me: Credentials = { username: 'me', password: 'correct horse battery' };
export const lab: Credentials = { username: 'lab', password: 'a bench by the window' };

/**
 * From now on, derives keys from passwords without the work that slows down guessing (a quarter of a second each),
 * because these tests are about accounts and limits. The interface of scrypt, which `password.test.ts` tests, stays
 * the same.
 */
function deriveKeysCheaply(): void {
  const { scrypt } = crypto;
  if (!vi.isMockFunction(scrypt)) {
    vi.spyOn(crypto, 'scrypt').mockImplementation((password, salt, length, options, callback) =>
      scrypt(password, salt, length, { ...options, N: 2, p: 1 }, callback),
    );
    syncBuiltinESMExports();
  }
}

/** Runs `npm run accounts -- …` on the data folder of a server. `password` replaces the operator's input. */
export function accounts(dataDir: string, args: readonly string[], password = ''): Promise<readonly string[]> {
  deriveKeysCheaply();
  return runAccountCommand(args, { environment: { DATA_DIR: dataDir }, readPassword: async () => password });
}

/** Starts a server with the administrator `me` and the user `lab`. */
export async function startServerWithAccounts(environment: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  await accounts(folder.path, ['add', me.username, '--admin'], me.password);
  await accounts(folder.path, ['add', lab.username], lab.password);
  const server = stack.use(await startTestServer({ ...environment, DATA_DIR: folder.path }));
  const resources = stack.move();
  return { ...server, dataDir: folder.path, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
