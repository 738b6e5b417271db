/** Selects the identity provider: the embedded or an external one. The rest of the server does not distinguish them. */
import type { Clock } from '@wirebench/clock';
import { defaultRolesClaim, type PublicConfig } from '@wirebench/contract';
import { connectionFault } from '@wirebench/contract/connection-fault';
import type { FastifyInstance } from 'fastify';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { Config, ExternalIdentity } from '../config.ts';
import type { SecurityOptions } from '../plugins/security-headers.ts';
import { repeatWork } from '../repeat-work.ts';
import type { OwnAccount, SignedOutAccount } from './embedded/accounts.ts';
import { openEmbeddedIdentity } from './embedded/embedded-identity.ts';
import { embeddedIdentityRoutes } from './embedded/routes.ts';
import { describeProvider, OtherIssuerError, PROVIDER_TIMEOUT, type ProviderOrigins } from './provider-description.ts';
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
  /** Returns the accounts that the server itself keeps. Null for an external provider, which keeps them. */
  readonly ownAccounts: (() => readonly OwnAccount[]) | null;
  /** Returns the accounts whose open benches have to end. Null for an external provider, which does not report it. */
  readonly signedOut: (() => readonly SignedOutAccount[]) | null;
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

/** Public keys of an external identity provider. They are fetched when a token needs them, and cached. */

/** Returns the key set of `identity`, from its address or from the one in the issuer's discovery document. */
export function providerKeys({ jwksUrl, issuer }: Pick<ExternalIdentity, 'jwksUrl' | 'issuer'>): JWTVerifyGetKey {
  if (jwksUrl !== null) {
    return keysAt(jwksUrl);
  }
  let discovery: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    discovery ??= describeProvider(issuer)
      .then(({ keysUrl }) => keysAt(keysUrl))
      .catch((error: unknown) => {
        discovery = null;
        throw error;
      });
    return (await discovery)(header, token);
  };
}

/**
 * Returns the key set at `address`. It distinguishes a missing key, which is the token's fault, from missing keys,
 * which are not.
 */
function keysAt(address: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: PROVIDER_TIMEOUT });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
        throw error;
      }
      throw new Error(`The keys at ${address} could not be fetched`, { cause: error });
    }
  };
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
      signedOut: null,
      ownAccounts: null,
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
    signedOut: accounts.signedOut,
    ownAccounts: embedded.ownAccounts,
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
  /** Message of the current failure, so that each is logged once. */
  let failure: string | null = null;
  const closing = new AbortController();
  const ask = async () => {
    if (clock.now() >= anew) {
      ({ origins } = await describeProvider(issuer, closing.signal));
      anew = clock.now() + ASK_ANEW;
      failure = null;
    }
  };
  let asking: Promise<AsyncDisposable> | null = null;
  return {
    origins: () => origins,
    serve: ({ log }) => {
      const onFailure = (err: unknown) => {
        const fault = connectionFault(err, issuer);
        const message =
          err instanceof OtherIssuerError
            ? err.message
            : [
                'the discovery document of the identity provider could not be read',
                ...(fault === null ? [] : [`${fault.what} ${fault.remedy}`]),
              ].join(': ');
        if (message !== failure && !closing.signal.aborted) {
          failure = message;
          log.warn({ err }, message);
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
