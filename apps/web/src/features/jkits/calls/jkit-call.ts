/** Shared handling of the JKit calls: sign-out on 401, and refresh of the lists after a change. */
import { jkitText } from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';
import type { AnswerSchema, ApiClient, Call } from '../../../shared/api/api-client.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type ApiMutation, type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { showUntilSignedIn } from '../../../shared/session/sign-in.ts';
import { toast } from '../../../shared/ui/toast.ts';

/** First part of each list's query key. A change invalidates all queries with it. */
export const jkitsKey = 'jkits';

/**
 * Sends a request and parses its JSON answer. A 401 has already signed the user out, which closes the library, so its
 * message is shown as a toast.
 *
 * @throws Same errors as `ApiClient.request`.
 */
export function requestJkits<Answer>(path: string, schema: AnswerSchema<Answer>, call: Call = {}): Promise<Answer> {
  return calling((client) => client.request(path, schema, call));
}

/** Sends a request whose answer is not JSON. Errors are handled as in `requestJkits`. */
export function sendJkits(path: string, call: Call): Promise<Response> {
  return calling((client) => client.send(path, call));
}

async function calling<Answer>(make: (client: ApiClient) => Promise<Answer>): Promise<Answer> {
  try {
    return await make(await api());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      showUntilSignedIn(jkitText.signInRequired);
    }
    // The client repeats a 403 once and then throws a general error. Its cause names the JKit's owner.
    throw error instanceof ApiError && error.status === 403 && error.cause instanceof ApiError ? error.cause : error;
  }
}

/** Mutation that changes a JKit and reloads the lists afterwards. */
export function useJkitMutation<Data = void, Variables = void>(
  mutationFn: (variables: Variables) => Promise<Data>,
  { onSuccess, onError }: CallEnds<Data, Variables>,
): ApiMutation<Data, Variables> {
  return useApiMutation<Data, Variables>({
    mutationFn,
    onSuccess: (data, variables) => {
      onSuccess?.(data, variables);
      void refreshJkits();
    },
    onError: (error, variables) => {
      refreshAfter(error);
      onError?.(error, variables);
    },
  });
}

/** Reloads the lists if the JKit was deleted, made private or changed in the meantime. */
function refreshAfter(error: Error): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
    if (error.status === 404) {
      // The JKit's row disappears from the list, and with it the place for its error.
      toast(error.message, { level: 'error' });
    }
    void refreshJkits();
  }
}

function refreshJkits(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [jkitsKey] });
}
