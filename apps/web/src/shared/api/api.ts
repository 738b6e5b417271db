/** The API client of this page. Fetched with the first feature that calls the server. */

import { publicConfig } from '../config/public-config.ts';
import { sessionStore } from '../session/page-session.ts';
import { SessionError } from '../session/session-errors.ts';
import { sessionKeeper } from '../session/sign-in.ts';
import { type AnswerSchema, ApiClient, type Call, type TokenSource } from './api-client.ts';
import { ApiError, noResponse } from './api-error.ts';

/**
 * @param send how requests are sent; what wants to know how far an upload is brings its own.
 * Throws an ApiError when the server does not even tell its configuration.
 */
export async function api(send: typeof fetch = (input, init) => fetch(input, init)): Promise<ApiClient> {
  return clientOf(await sessionKeeper(), send);
}

/** Calls the server as the signed-in user. @see ApiClient.request */
export async function request<Answer>(path: string, schema: AnswerSchema<Answer>, call?: Call): Promise<Answer> {
  return (await api()).request(path, schema, call);
}

/** Calls the server as the signed-in user. @see ApiClient.send */
export async function send(path: string, call?: Call): Promise<Response> {
  return (await api()).send(path, call);
}

/** Reads public data: with the token of a signed-in user, and without one if the session turns out to have ended. */
export async function readPublic<Answer>(read: (client: ApiClient) => Promise<Answer>): Promise<Answer> {
  try {
    // Without a session the code that keeps one is not fetched.
    return await read(await (sessionStore.current() === null ? publicApi() : api()));
  } catch (error) {
    if (error instanceof SessionError || (error instanceof ApiError && error.status === 401)) {
      return read(await publicApi());
    }
    throw error;
  }
}

/** For what anyone may read and is not answered differently to anybody: no token goes along, wherever the server sends the reader. */
export function publicApi(): Promise<ApiClient> {
  return clientOf(nobody, (input, init) => fetch(input, init));
}

const nobody: TokenSource = {
  tokenForCall: async () => null,
  tokenAfterRefusal: async (refused) => refused,
  end: () => undefined,
};

async function clientOf(tokens: TokenSource, send: typeof fetch): Promise<ApiClient> {
  const { apiUrl } = await publicConfig().catch((error: unknown) => {
    throw noResponse(error);
  });
  return new ApiClient({ baseUrl: apiUrl, tokens, fetch: send });
}
