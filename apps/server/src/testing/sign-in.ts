/** The steps of the web app's sign-in popup: authorization, a click on the login page, code, tokens. */
import { identityPaths, identitySettings, staticPages } from '@wirebench/contract';
import { Browser, pkcePair } from './browser.ts';

const paths = identityPaths(identitySettings.realm);

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

export interface AuthorizationRequest {
  readonly url: URL;
  readonly verifier: string;
}

export function authorizationRequest(
  address: string,
  extra: Readonly<Record<string, string>> = {},
): AuthorizationRequest {
  const { verifier, challenge } = pkcePair();
  const url = new URL(paths.authorization, address);
  const parameters = {
    client_id: identitySettings.clientId,
    redirect_uri: `${address}${staticPages.signInCallback}`,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-of-the-test',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...extra,
  };
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value);
  }
  return { url, verifier };
}

/** Returns the address that the provider redirects the browser to after a click on `account`. */
export async function clickAccount(browser: Browser, request: AuthorizationRequest, account: string): Promise<URL> {
  const first = await browser.fetch(request.url);
  const login = new URL(first.headers.get('location') ?? '', request.url);
  const choice = await browser.post(login, { account });
  return browser.follow(new URL(choice.headers.get('location') ?? '', login), staticPages.signInCallback);
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Posts the login page's form and returns the answer.
 *
 * @param headers Headers of a proxy or another site.
 */
export async function postPassword(
  browser: Browser,
  request: AuthorizationRequest,
  credentials: Credentials,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const first = await browser.fetch(request.url, { headers });
  const login = new URL(first.headers.get('location') ?? '', request.url);
  return browser.fetch(login, { method: 'POST', headers, body: new URLSearchParams({ ...credentials }) });
}

/** Signs in a local account at the server at `address`. */
export async function signInWithPassword(
  address: string,
  credentials: Credentials,
  browser: Browser = new Browser(),
): Promise<Tokens> {
  const request = authorizationRequest(address);
  const answer = await postPassword(browser, request, credentials);
  const location = answer.headers.get('location');
  if (location === null) {
    throw new Error(`No sign-in: ${answer.status} ${await answer.text()}`);
  }
  const callback = await browser.follow(new URL(location, request.url), staticPages.signInCallback);
  return exchangeCode(address, callback, request.verifier);
}

export function requestTokens(address: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(new URL(paths.token, address), {
    method: 'POST',
    body: new URLSearchParams({ client_id: identitySettings.clientId, ...form }),
  });
}

export async function exchangeCode(address: string, callback: URL, verifier: string): Promise<Tokens> {
  const answer = await requestTokens(address, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: `${address}${staticPages.signInCallback}`,
    code_verifier: verifier,
  });
  if (!answer.ok) {
    throw new Error(`No tokens: ${answer.status} ${await answer.text()}`);
  }
  return (await answer.json()) as Tokens;
}

/** Signs in `account` at the server at `address`. */
export async function signIn(address: string, account: string, browser: Browser = new Browser()): Promise<Tokens> {
  const request = authorizationRequest(address);
  const callback = await clickAccount(browser, request, account);
  return exchangeCode(address, callback, request.verifier);
}
