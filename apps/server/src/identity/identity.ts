/** Selects the identity provider: the embedded or an external one. The rest of the server does not distinguish them. */
import type { Clock } from '@wirebench/clock';
import { defaultRolesClaim, type PublicConfig } from '@wirebench/contract';
import type { FastifyInstance } from 'fastify';
import type { JWTPayload } from 'jose';
import type { Config } from '../config.ts';
import type { SecurityOptions } from '../plugins/security-headers.ts';
import { repeatWork } from '../repeat-work.ts';
import { openEmbeddedIdentity } from './embedded/embedded-identity.ts';
import { embeddedIdentityRoutes } from './embedded/routes.ts';
import { describeProvider, type ProviderOrigins } from './provider-description.ts';
import { providerKeys } from './provider-keys.ts';
import { tokenVerifier, type VerifyToken } from './token-verifier.ts';
import type { User } from './user.ts';

export interface Identity extends AsyncDisposable {
  /** Settings that the web app needs for sign-in. */
  readonly publicConfig: PublicConfig['oidc'];
  readonly verifyToken: VerifyToken;
  /**
   * Returns true if an operator has disabled the account. Always false for an external provider, which does not
   * report it.
   */
  readonly isDisabled: (subject: string) => boolean;
  /** Paths of the embedded provider's pages on this server; null with an external provider. */
  readonly embeddedPaths: SecurityOptions['embedded'];
  /** Origins of the provider that pages need, as far as they are known. */
  readonly origins: () => ProviderOrigins;
  /** Adds the routes of an embedded provider. Starts reading the discovery document of an external one. */
  serve(app: FastifyInstance): void;
}

export interface IdentityOptions {
  readonly config: Pick<Config, 'identity' | 'dataDir' | 'adminRole' | 'readsPerMinute'>;
  readonly publicUrl: string;
  readonly clock: Clock;
}

export async function openIdentity({ config, publicUrl, clock }: IdentityOptions): Promise<Identity> {
  const { identity, dataDir, adminRole, readsPerMinute } = config;
  const { realm, clientId } = identity;
  if (identity.kind === 'external') {
    const { issuer, url, audience, rolesClaim } = identity;
    return {
      publicConfig: { issuer, url, realm, clientId, ...(rolesClaim === defaultRolesClaim ? {} : { rolesClaim }) },
      verifyToken: tokenVerifier({ issuer, clientId, audience, rolesClaim, keys: providerKeys(identity) }, clock),
      isDisabled: () => false,
      embeddedPaths: null,
      ...followProvider(issuer, clock),
    };
  }
  const { reachedBy } = identity;
  const embedded = await openEmbeddedIdentity({ dataDir, publicUrl, realm, clientId, adminRole, reachedBy, clock });
  const { issuer, apiAudience, keys, accounts } = embedded;
  const userNow = (user: User, { sid }: JWTPayload) => accounts.userNow(user, sid);
  const verifyToken = tokenVerifier({ issuer, clientId, audience: apiAudience, keys, userNow }, clock);
  return {
    publicConfig: { issuer, url: publicUrl, realm, clientId },
    verifyToken,
    isDisabled: accounts.isDisabled,
    embeddedPaths: { realm: embedded.paths.realm, loginStatusFrame: embedded.paths.loginStatusFrame },
    origins: () => ownOrigin,
    serve: (app) => embeddedIdentityRoutes(app, { identity: embedded, verifyToken, signInsPerMinute: readsPerMinute }),
    [Symbol.asyncDispose]: async () => embedded.close(),
  };
}

const ownOrigin: ProviderOrigins = { called: [], framed: [] };

/** Milliseconds until the next request to a provider: after a failure, and after a success. */
const ASK_AGAIN = 10_000;
const ASK_ANEW = 3_600_000;

/**
 * Follows an external provider. Until its discovery document is read, all its endpoints are assumed at the issuer's
 * origin.
 */
function followProvider(issuer: string, clock: Clock): Pick<Identity, 'origins' | 'serve'> & AsyncDisposable {
  const { origin } = new URL(issuer);
  let origins: ProviderOrigins = { called: [origin], framed: [origin] };
  let anew = 0;
  let isAway = false;
  const closing = new AbortController();
  const ask = async () => {
    if (clock.now() >= anew) {
      ({ origins } = await describeProvider(issuer, closing.signal));
      anew = clock.now() + ASK_ANEW;
      isAway = false;
    }
  };
  let asking: Promise<AsyncDisposable> | null = null;
  return {
    origins: () => origins,
    serve: ({ log }) => {
      const onFailure = (err: unknown) => {
        if (!isAway && !closing.signal.aborted) {
          isAway = true;
          log.warn({ err }, 'the discovery document of the identity provider could not be read');
        }
      };
      asking = repeatWork({ work: ask, clock, interval: ASK_AGAIN, onFailure });
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await (await asking)?.[Symbol.asyncDispose]();
    },
  };
}
