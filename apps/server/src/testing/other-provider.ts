/// <reference path="../identity/embedded/oidc-provider-class.d.ts" />
/**
 * An OpenID provider that differs from the embedded one: own port and paths, found through its discovery document,
 * RS256 keys, tokens that name the client like Keycloak's (`azp`, with another `aud`), a consent page. The test
 * defines the accounts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider/lib/provider.js';
import { Browser, pkcePair } from './browser.ts';

export interface OtherProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  /** Value of `aud` in access tokens. */
  readonly audience: string;
  /** Signs in like a browser, from the discovery document to the tokens, as the client of the app at `publicUrl`. */
  signIn(account: string): Promise<{ access_token: string; id_token: string }>;
}

/** Claims by account name. `sub` is the name. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export async function startOtherProvider(redirectUri: string, accounts: Accounts): Promise<OtherProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'lab-workbench';
  const audience = 'account';
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [redirectUri],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'lab-2026' }] },
    cookies: { keys: ['a key of the test'] },
    clientAuthMethods: ['none'],
    pkce: { required: () => true },
    ttl: { AccessToken: 300, IdToken: 300, Grant: 600, Session: 600, Interaction: 600 },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    findAccount: (_context, subject) =>
      subject in accounts ? { accountId: subject, claims: () => ({ sub: subject, ...accounts[subject] }) } : undefined,
    extraTokenClaims: (_context, token) => ({
      azp: clientId,
      ...('accountId' in token ? accounts[token.accountId ?? ''] : {}),
    }),
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:lab:account',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          audience,
          scope: '',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  });
  const protocol = provider.callback();
  handle = (request, response) =>
    request.url?.startsWith('/interaction/')
      ? finishInteraction(provider, request, response)
      : protocol(request, response);

  return {
    issuer,
    clientId,
    audience,
    signIn: (account) => signInAt({ issuer, clientId, redirectUri, account }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs in the account in the form, and consents to every request. */
async function finishInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    if (request.method === 'GET') {
      response.end('<form method="post">Who are you?</form>');
      return;
    }
    let form = '';
    for await (const chunk of request) {
      form += String(chunk);
    }
    const accountId = new URLSearchParams(form).get('account') ?? '';
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
  grant.addOIDCScope('openid profile email');
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly account: string;
}

async function signInAt({ issuer, clientId, redirectUri, account }: SignIn) {
  const discovery = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
    authorization_endpoint: string;
    token_endpoint: string;
  };
  const { verifier, challenge } = pkcePair();
  const authorization = new URL(discovery.authorization_endpoint);
  authorization.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString();

  const browser = new Browser();
  const first = await browser.fetch(authorization);
  const login = new URL(first.headers.get('location') ?? '', issuer);
  const choice = await browser.post(login, { account });
  const callback = await browser.follow(
    new URL(choice.headers.get('location') ?? '', issuer),
    new URL(redirectUri).pathname,
  );
  const answer = await fetch(discovery.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  if (!answer.ok) {
    throw new Error(`No tokens: ${answer.status} ${await answer.text()}`);
  }
  return (await answer.json()) as { access_token: string; id_token: string };
}
