/** Where identity comes from: the embedded provider or one elsewhere. The rest of the server sees no difference. */
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
  /** What the web app has to know to sign people in. */
  readonly publicConfig: PublicConfig['oidc'];
  readonly verifyToken: VerifyToken;
  /** Whether an operator has disabled the account. A provider elsewhere does not say so: false. */
  readonly isDisabled: (subject: string) => boolean;
  /** Paths of this server that the provider's pages have; null when it is elsewhere. */
  readonly embeddedPaths: SecurityOptions['embedded'];
  /** Where pages meet the provider, as far as it is known by now. */
  readonly origins: () => ProviderOrigins;
  /** Adds the provider's routes where they are ours, and asks it about itself where it is elsewhere. */
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

/** Milliseconds between two attempts to ask a provider that does not answer, and between two questions to one that does. */
const ASK_AGAIN = 10_000;
const ASK_ANEW = 3_600_000;

/** Until the provider has described itself, it is taken to be at its issuer's origin with everything. */
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
          log.warn({ err }, 'the identity provider does not say where its endpoints are');
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
