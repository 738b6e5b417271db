/**
 * The embedded provider as the rest of the server uses it: an issuer, the keys of its tokens, and the provider
 * itself, which is loaded at the first sign-in.
 */
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@wirebench/clock';
import { identityPaths } from '@wirebench/contract';
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type Provider from 'oidc-provider';
import { commandText } from '../../command-line/command-name.ts';
import { StartError } from '../../start-error.ts';
import { openDataFile } from '../../storage/data-folder.ts';
import { openSqlite } from '../../storage/database/open-sqlite.ts';
import { type Accounts, accountsOf, type OwnAccount } from './accounts.ts';
import { createEntryTable, keepRoom, sessionFinder } from './entry-table.ts';
import { type LocalAccounts, localAccounts } from './local-accounts.ts';
import { passwordSignIn } from './password-sign-in.ts';
import { loadIdentitySecrets, publicKeys } from './secrets-file.ts';

export interface EmbeddedIdentityOptions {
  readonly dataDir: string;
  /** Origin that the browser sees. */
  readonly publicUrl: string;
  readonly realm: string;
  readonly clientId: string;
  readonly adminRole: string;
  /** Names of the settings that make the server reachable for other machines; null if only this machine reaches it. */
  readonly reachedBy: string | null;
  readonly clock: Clock;
}

export interface EmbeddedIdentity {
  readonly publicUrl: string;
  readonly paths: ReturnType<typeof identityPaths>;
  readonly issuer: string;
  /** Value of `aud` in access tokens. ID tokens do not have it, because they are not meant for an API. */
  readonly apiAudience: string;
  readonly keys: JWTVerifyGetKey;
  readonly accounts: Accounts;
  /** Returns the accounts that an operator has created, else the demo accounts while they may sign in. */
  readonly ownAccounts: () => readonly OwnAccount[];
  readonly signIn: ReturnType<typeof passwordSignIn>;
  provider(): Promise<Provider>;
  loginPath(interaction: string): string;
  close(): void;
}

/**
 * Opens the keys and the sessions in `dataDir`, or creates them.
 *
 * @throws StartError if a file is invalid.
 */
export async function openEmbeddedIdentity(options: EmbeddedIdentityOptions): Promise<EmbeddedIdentity> {
  const { dataDir, publicUrl, realm, clientId, adminRole, reachedBy, clock } = options;
  const secrets = await openDataFile(join(dataDir, 'identity-keys.json'), loadIdentitySecrets);
  const { database, local } = await openAccounts(dataDir, clock);
  const hasRoom = keepRoom(database, () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  });
  const paths = identityPaths(realm);
  const apiAudience = `${publicUrl}/api`;
  const accounts = accountsOf({
    local,
    adminRole,
    allowsDemo: reachedBy === null,
    findSession: sessionFinder(database, clock),
  });
  const loginPath = (interaction: string) => `${paths.realm}/login/${interaction}`;
  const load = async () => {
    const { createProvider } = await import('./provider.ts');
    const identity = { publicUrl, realm, clientId, apiAudience, accounts, secrets };
    return createProvider({ ...identity, database, hasRoom, clock, loginPath });
  };
  let loading: Promise<Provider> | null = null;
  return {
    publicUrl,
    paths,
    issuer: `${publicUrl}${paths.realm}`,
    apiAudience,
    keys: createLocalJWKSet(publicKeys(secrets)),
    accounts,
    ownAccounts: accounts.own,
    signIn: passwordSignIn(local, clock),
    provider: () => {
      // A load that failed, for example on a full disk, is retried at the next call.
      loading ??= load().catch((error: unknown) => {
        loading = null;
        throw error;
      });
      return loading;
    },
    loginPath,
    close: () => database.close(),
  };
}

/**
 * Opens the accounts of a server, which may be running.
 *
 * @throws StartError if the file is invalid.
 */
export async function openAccounts(
  dataDir: string,
  clock: Clock,
): Promise<{ readonly database: DatabaseSync; readonly local: LocalAccounts }> {
  return openDataFile(join(dataDir, 'identity.sqlite'), async (path) => {
    const database = await openSqlite(path, { synchronous: 'normal' });
    try {
      createEntryTable(database);
      return { database, local: localAccounts(database, clock) };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * Checks that other machines cannot reach the demo accounts, which have no passwords. Creates no files.
 *
 * @throws StartError if they can.
 */
export async function refuseReachableDemo(dataDir: string, reachedBy: string | null): Promise<void> {
  if (reachedBy === null || (await hasAccounts(dataDir))) {
    return;
  }
  throw new StartError([
    `${reachedBy} would let others use the demo accounts, which have no passwords: make an account of your own with "${commandText('accounts', 'add <name> --admin')}", or set OIDC_URL to your identity provider.`,
  ]);
}

async function hasAccounts(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'identity.sqlite'))) {
    return false;
  }
  const { database, local } = await openAccounts(dataDir, systemClock);
  try {
    return local.exist();
  } finally {
    database.close();
  }
}
