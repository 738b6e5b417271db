/** The API client of this page. Loaded with the first feature that calls the server. */

import { publicConfig } from '../config/public-config.ts';
import { sessionStore } from '../session/page-session.ts';
import { SessionError } from '../session/session-errors.ts';
import { sessionKeeper } from '../session/sign-in.ts';
import { type AnswerSchema, ApiClient, type Call, type TokenSource } from './api-client.ts';
import { ApiError, noResponse } from './api-error.ts';

/**
 * Returns a client that sends the user's token.
 * @param send Sends requests. A caller that needs upload progress passes its own.
 * @throws ApiError if the server does not return its configuration.
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

/** Reads public data. Sends the token of a signed-in user, and retries without it if the session has ended. */
export async function readPublic<Answer>(read: (client: ApiClient) => Promise<Answer>): Promise<Answer> {
  try {
    // Without a session, the session code is not loaded.
    return await read(await (sessionStore.current() === null ? publicApi() : api()));
  } catch (error) {
    if (error instanceof SessionError || (error instanceof ApiError && error.status === 401)) {
      return read(await publicApi());
    }
    throw error;
  }
}

/** Returns a client for data that is the same for all readers. It never sends a token, not even after a redirect. */
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
