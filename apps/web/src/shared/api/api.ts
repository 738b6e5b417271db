/** The API client of this page. Fetched with the first feature that calls the server. */
import { publicConfig } from '../config/public-config.ts';
import { sessionKeeper } from '../session/sign-in.ts';
import { ApiClient } from './api-client.ts';
import { noResponse } from './api-error.ts';

/**
 * @param send how requests are sent; what wants to know how far an upload is brings its own.
 * Throws an ApiError when the server does not even tell its configuration.
 */
export async function api(send: typeof fetch = (input, init) => fetch(input, init)): Promise<ApiClient> {
  const [tokens, { apiUrl }] = await Promise.all([
    sessionKeeper(),
    publicConfig().catch((error: unknown) => {
      throw noResponse(error);
    }),
  ]);
  return new ApiClient({ baseUrl: apiUrl, tokens, fetch: send });
}
