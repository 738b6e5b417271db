/** The API client of this page. Fetched with the first feature that calls the server. */
import { publicConfig } from '../config/public-config.ts';
import { sessionKeeper } from '../session/sign-in.ts';
import { ApiClient } from './api-client.ts';
import { noResponse } from './api-error.ts';

/** Throws an ApiError when the server does not even tell its configuration. */
export async function api(): Promise<ApiClient> {
  const [tokens, { apiUrl }] = await Promise.all([
    sessionKeeper(),
    publicConfig().catch((error: unknown) => {
      throw noResponse(error);
    }),
  ]);
  return new ApiClient({ baseUrl: apiUrl, tokens, fetch: (input, init) => fetch(input, init) });
}
