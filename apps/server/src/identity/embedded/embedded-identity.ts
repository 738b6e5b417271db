/**
 * The embedded provider as the rest of the server sees it: an issuer, the keys its tokens are checked with, and the provider
 * itself, which is loaded when somebody signs in for the first time and not before.
 */
import { join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { identityPaths } from '@wirebench/contract';
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type Provider from 'oidc-provider';
import { openDataFile } from '../../storage/data-folder.ts';
import { openSqlite } from '../../storage/database/open-sqlite.ts';
import { type DemoAccount, demoAccounts } from './demo-accounts.ts';
import { loadIdentitySecrets, publicKeys } from './secrets-file.ts';

export interface EmbeddedIdentityOptions {
  readonly dataDir: string;
  /** Origin that the browser sees. */
  readonly publicUrl: string;
  readonly realm: string;
  readonly clientId: string;
  readonly adminRole: string;
  readonly clock: Clock;
}

export interface EmbeddedIdentity {
  readonly publicUrl: string;
  readonly paths: ReturnType<typeof identityPaths>;
  readonly issuer: string;
  /** What its access tokens carry as `aud`; its ID tokens, which are no tokens for an API, do not. */
  readonly apiAudience: string;
  readonly keys: JWTVerifyGetKey;
  readonly accounts: readonly DemoAccount[];
  provider(): Promise<Provider>;
  loginPath(interaction: string): string;
  close(): void;
}

/** Opens the keys and the sessions in `dataDir`, or makes them. Throws a `StartError` when a file is not what it should be. */
export async function openEmbeddedIdentity(options: EmbeddedIdentityOptions): Promise<EmbeddedIdentity> {
  const { dataDir, publicUrl, realm, clientId, adminRole, clock } = options;
  const secrets = await openDataFile(join(dataDir, 'identity-keys.json'), loadIdentitySecrets);
  const database = await openDataFile(join(dataDir, 'identity.sqlite'), (path) =>
    openSqlite(path, { synchronous: 'normal' }),
  );
  const paths = identityPaths(realm);
  const apiAudience = `${publicUrl}/api`;
  const accounts = demoAccounts(adminRole);
  const loginPath = (interaction: string) => `${paths.realm}/login/${interaction}`;
  const load = async () => {
    const { createProvider } = await import('./provider.ts');
    return createProvider({ publicUrl, realm, clientId, apiAudience, accounts, secrets, database, clock, loginPath });
  };
  let loading: Promise<Provider> | null = null;
  return {
    publicUrl,
    paths,
    issuer: `${publicUrl}${paths.realm}`,
    apiAudience,
    keys: createLocalJWKSet(publicKeys(secrets)),
    accounts,
    provider: () => {
      // What failed for want of room is tried again.
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
