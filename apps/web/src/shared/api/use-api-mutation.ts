/** A call that changes data on the server, with TanStack Query. */
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { queryClient } from './query-client.ts';

export type ApiMutation<Data = void, Variables = void> = Pick<
  UseMutationResult<Data, Error, Variables>,
  'data' | 'error' | 'isPending' | 'isSuccess' | 'mutate' | 'reset'
>;

/** Callbacks after a call. They also run if the component was unmounted by then. */
export interface CallEnds<Data = void, Variables = void> {
  readonly onSuccess?: ((data: Data, variables: Variables) => void) | undefined;
  readonly onError?: ((error: Error, variables: Variables) => void) | undefined;
}

interface ApiMutationOptions<Data, Variables> extends CallEnds<Data, Variables> {
  readonly mutationFn: (variables: Variables) => Promise<Data>;
  /** The mutation stays pending until the returned promise settles. */
  readonly onSuccess?: ((data: Data, variables: Variables) => Promise<void> | void) | undefined;
}

/**
 * `useMutation` on the page's client. A double press runs it once: `mutate` does nothing while a call is pending.
 * `reset` does nothing then either, because it would hide the pending call and its outcome.
 */
export function useApiMutation<Data = void, Variables = void>({
  mutationFn,
  onSuccess,
  onError,
}: ApiMutationOptions<Data, Variables>): ApiMutation<Data, Variables> {
  const running = useRef(false);
  const mutation = useMutation<Data, Error, Variables>(
    {
      mutationFn: (variables) => mutationFn(variables),
      onSuccess: (data, variables) => onSuccess?.(data, variables),
      onError: (error, variables) => onError?.(error, variables),
      onSettled: () => {
        running.current = false;
      },
    },
    queryClient,
  );
  const mutate: typeof mutation.mutate = (...call) => {
    if (!running.current) {
      running.current = true;
      mutation.mutate(...call);
    }
  };
  const reset = () => {
    if (!running.current) {
      mutation.reset();
    }
  };
  return { ...mutation, mutate, reset };
}
