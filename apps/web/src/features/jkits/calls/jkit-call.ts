/** Calls about jkits: what every one of them does when it is refused. */
import { jkitText } from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';
import type { AnswerSchema, ApiClient, Call } from '../../../shared/api/api-client.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { toast } from '../../../shared/ui/toast.ts';

/** Of every list; asked anew after each change. */
export const jkitsKey = 'jkits';

/** Throws as `ApiClient.request` does. A 401 has signed out by then, and is told here: the library that could tell it is gone. */
export function requestJkits<Answer>(path: string, schema: AnswerSchema<Answer>, call: Call = {}): Promise<Answer> {
  return calling((client) => client.request(path, schema, call), call);
}

/** The same for answers without JSON. */
export function sendJkits(path: string, call: Call): Promise<Response> {
  return calling((client) => client.send(path, call), call);
}

async function calling<Answer>(make: (client: ApiClient) => Promise<Answer>, { method }: Call): Promise<Answer> {
  try {
    return await make(await api());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      toast(jkitText.signInRequired, { level: 'error' });
    }
    if (error instanceof ApiError && error.status === 404 && method !== undefined) {
      // What was to be changed is gone, or private by now. The lists lose it, and with it the place to say so.
      toast(error.message, { level: 'error' });
      void refreshJkits();
    }
    if (error instanceof ApiError && error.status === 409) {
      void refreshJkits();
    }
    // The client tries a 403 twice and says so in general words; whose jkit it is says more.
    throw error instanceof ApiError && error.status === 403 && error.cause instanceof ApiError ? error.cause : error;
  }
}

export function refreshJkits(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [jkitsKey] });
}
