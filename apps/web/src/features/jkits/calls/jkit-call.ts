/** Calls about jkits: what every one of them does when it is refused, and what each change has in common. */
import { jkitText } from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';
import type { AnswerSchema, ApiClient, Call } from '../../../shared/api/api-client.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type ApiMutation, type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { sayUntilSignedIn } from '../../../shared/session/sign-in.ts';
import { toast } from '../../../shared/ui/toast.ts';

/** Of every list; asked anew after each change. */
export const jkitsKey = 'jkits';

/** Throws as `ApiClient.request` does. A 401 has signed out by then, and is said here: the library that could say it is gone. */
export function requestJkits<Answer>(path: string, schema: AnswerSchema<Answer>, call: Call = {}): Promise<Answer> {
  return calling((client) => client.request(path, schema, call));
}

/** The same for answers without JSON. */
export function sendJkits(path: string, call: Call): Promise<Response> {
  return calling((client) => client.send(path, call));
}

async function calling<Answer>(make: (client: ApiClient) => Promise<Answer>): Promise<Answer> {
  try {
    return await make(await api());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      sayUntilSignedIn(jkitText.signInRequired);
    }
    // The client tries a 403 twice and says so in general words; whose jkit it is says more.
    throw error instanceof ApiError && error.status === 403 && error.cause instanceof ApiError ? error.cause : error;
  }
}

/** A change of a jkit: the lists are asked for anew. */
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

/** What was to be changed is gone, or private by now, or has changed: the lists show it. */
function refreshAfter(error: Error): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
    if (error.status === 404) {
      // The lists lose it, and with it the place to say so.
      toast(error.message, { level: 'error' });
    }
    void refreshJkits();
  }
}

function refreshJkits(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [jkitsKey] });
}
