/// <reference path="./oidc-provider-class.d.ts" />
/**
 * The embedded OpenID provider: one public client, the accounts of this server, Keycloak's paths. This file only
 * configures `oidc-provider`. Requests are routed in `routes.ts`, and the pages are in `pages.ts`.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@wirebench/clock';
import { identityPaths, staticPages } from '@wirebench/contract';
import type { ClientMetadata, Configuration, KoaContextWithOIDC } from 'oidc-provider';
// Not the package's index, which prints a warning about the runtime: this build of Node is not labelled LTS.
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { BoundedMap } from '../../bounded-map.ts';
import { addressKey } from '../../plugins/address-key.ts';
import { claimsOf } from './account.ts';
import type { Accounts } from './accounts.ts';
import { errorPage, signedOutPage, signOutPage } from './pages.ts';
import { addressOf } from './request-address.ts';
import type { IdentitySecrets } from './secrets-file.ts';
import { sqliteAdapters } from './sqlite-adapter.ts';

export interface ProviderOptions {
  /** Origin that the browser sees. */
  readonly publicUrl: string;
  readonly realm: string;
  readonly clientId: string;
  /** Value of `aud` in access tokens. */
  readonly apiAudience: string;
  readonly accounts: Accounts;
  readonly secrets: IdentitySecrets;
  readonly database: DatabaseSync;
  /** Restores the room for sign-ins on a full disk; false: the disk is full. */
  readonly hasRoom: () => boolean;
  readonly clock: Clock;
  readonly loginPath: (interaction: string) => string;
}

const ACCESS_TOKEN_SECONDS = 300;
const LOGIN_SECONDS = 3_600;
const SESSION_SECONDS = 14 * 24 * 3_600;
/** Lifetime of a session without an account, which remembers a sign-out that needs confirmation. */
const ANONYMOUS_SESSION_SECONDS = 600;

/** Sign-ins in progress of one address: enough for a class that signs in at once. */
export const MAX_OF_ADDRESS = 100;

const MAX_ADDRESSES = 1_000;

/**
 * Sign-ins in progress by address, so that a flood from one address displaces only its own. Counts in this process.
 * The table has a separate limit (`sqlite-adapter.ts`).
 */
export class PendingSignIns {
  readonly #byAddress = new BoundedMap<string, string[]>({ capacity: MAX_ADDRESSES });

  /** Adds a sign-in. Returns the sign-ins of the same address that have to be removed. */
  add(address: string, uid: string): readonly string[] {
    const key = addressKey(address);
    const uids = this.#byAddress.get(key) ?? [];
    this.#byAddress.set(key, uids);
    uids.push(uid);
    return uids.splice(0, Math.max(0, uids.length - MAX_OF_ADDRESS));
  }
}

export function createProvider(options: ProviderOptions): Provider {
  const { publicUrl, realm, apiAudience, secrets, database, clock } = options;
  const issuer = `${publicUrl}${identityPaths(realm).realm}`;
  const pending = new PendingSignIns();
  const provider = new Provider(issuer, {
    adapter: sqliteAdapters(
      database,
      clock,
      (session) => options.accounts.ofSession(session) === null,
      options.hasRoom,
    ),
    clients: [clientMetadata(options)],
    jwks: { keys: secrets.signingKeys },
    routes: routesBelow(realm),
    cookies: cookieSettings(realm, secrets),
    ...accountSettings(options),
    ...tokenSettings,
    interactions: {
      url: async ({ req }, interaction) => {
        for (const uid of pending.add(addressOf(req), interaction.uid)) {
          await (await provider.Interaction.find(uid))?.destroy();
        }
        return options.loginPath(interaction.uid);
      },
    },
    // A browser sends `Origin` with every POST, also to its own origin. Other origins are refused.
    clientBasedCORS: (_context, origin) => origin === publicUrl,
    renderError: (context, out) => {
      context.type = 'html';
      context.body = errorPage(out.error, out.error_description);
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Answered by our own route: the library refuses tokens that name an audience.
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          // Like Keycloak: a client that sends the session's ID token is not asked for confirmation.
          const { IdTokenHint: hint } = context.oidc.entities;
          const atOnce = hint !== undefined && hint.payload['sub'] === context.oidc.session?.accountId;
          context.body = signOutPage(form, { atOnce });
        },
        postLogoutSuccessSource: (context) => {
          context.type = 'html';
          context.body = signedOutPage(publicUrl);
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => apiAudience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (resource !== apiAudience) {
            throw new InvalidTarget('the resource is unknown');
          }
          return {
            audience: apiAudience,
            scope: '',
            accessTokenFormat: 'jwt',
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    discovery: { userinfo_endpoint: `${publicUrl}${identityPaths(realm).userinfo}` },
  });
  provider.proxy = true;
  return provider;
}

function clientMetadata({ publicUrl, clientId }: ProviderOptions): ClientMetadata {
  return {
    client_id: clientId,
    client_name: 'Wirebench',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    id_token_signed_response_alg: 'ES256',
    redirect_uris: [`${publicUrl}${staticPages.signInCallback}`, `${publicUrl}${staticPages.silentCheck}`],
    post_logout_redirect_uris: [`${publicUrl}${staticPages.signOutCallback}`],
  };
}

/** Returns Keycloak's paths relative to the issuer's path, as the library needs them. */
function routesBelow(realm: string): NonNullable<Configuration['routes']> {
  const { realm: root, authorization, token, userinfo, logout, certs } = identityPaths(realm);
  const below = (path: string) => path.slice(root.length);
  return {
    authorization: below(authorization),
    token: below(token),
    userinfo: below(userinfo),
    end_session: below(logout),
    jwks: below(certs),
  };
}

function cookieSettings(realm: string, { cookieKeys }: IdentitySecrets): NonNullable<Configuration['cookies']> {
  const settings = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    keys: cookieKeys,
    // Cookies of `localhost` are shared by all ports, and therefore by all projects of a developer.
    names: { session: 'wirebench_session', interaction: 'wirebench_login', resume: 'wirebench_login_resume' },
    long: { ...settings, path: identityPaths(realm).realm },
    short: settings,
  };
}

function accountSettings({ accounts }: ProviderOptions): Partial<Configuration> {
  return {
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'realm_access'],
      email: ['email', 'email_verified'],
    },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    conformIdTokenClaims: false,
    findAccount: (_context, subject) => {
      const account = accounts.find(subject);
      return account === null
        ? undefined
        : { accountId: subject, claims: () => ({ sub: subject, ...claimsOf(account) }) };
    },
    extraTokenClaims: (_context, token) => {
      if (!('accountId' in token) || token.accountId === undefined) {
        return undefined;
      }
      const account = accounts.find(token.accountId);
      // The session id makes a token end with its session.
      return account === null ? undefined : { ...claimsOf(account), sid: token.sessionUid };
    },
    loadExistingGrant: async (context) => {
      const { client, session, provider } = context.oidc;
      if (client === undefined || session?.accountId === undefined) {
        return undefined;
      }
      const id = context.oidc.result?.consent?.grantId ?? session.grantIdFor(client.clientId);
      const known = id === undefined ? undefined : await provider.Grant.find(id);
      return known ?? grantEverything(context, client.clientId, session.accountId);
    },
  };
}

/** Grants all scopes without a consent page: the only client is this product. */
async function grantEverything({ oidc }: KoaContextWithOIDC, clientId: string, accountId: string) {
  const grant = new oidc.provider.Grant({ clientId, accountId });
  grant.addOIDCScope('openid profile email offline_access');
  await grant.save();
  return grant;
}

const tokenSettings: Partial<Configuration> = {
  clientAuthMethods: ['none'],
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => true,
  responseTypes: ['code'],
  ttl: {
    AccessToken: ACCESS_TOKEN_SECONDS,
    IdToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: 60,
    Interaction: LOGIN_SECONDS,
    Grant: SESSION_SECONDS,
    Session: (_context, session) => (session.accountId === undefined ? ANONYMOUS_SESSION_SECONDS : SESSION_SECONDS),
    RefreshToken: SESSION_SECONDS,
  },
};
