import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { queryClient } from './query-client.ts';
import { useApiMutation } from './use-api-mutation.ts';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

/** Sets up a call that the test completes. */
function setUp() {
  const calls: PromiseWithResolvers<void>[] = [];
  const { result } = renderHook(() =>
    useApiMutation({
      mutationFn: () => {
        const call = Promise.withResolvers<void>();
        calls.push(call);
        return call.promise;
      },
    }),
  );
  return { calls, result };
}

describe('a call that changes something', () => {
  it('runs once for several requests while it is pending', async () => {
    const { calls, result } = setUp();
    act(() => result.current.mutate());
    await waitFor(() => expect(result.current.isPending).toBe(true));
    act(() => result.current.mutate());
    await waitFor(() => expect(calls).toHaveLength(1));
    act(() => calls[0]?.resolve());
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    expect(calls).toHaveLength(1);
  });

  it('is shown as pending, and its failure is shown, also when it is reset before it ends', async () => {
    const { calls, result } = setUp();
    act(() => result.current.mutate());
    await waitFor(() => expect([calls.length, result.current.isPending]).toEqual([1, true]));
    act(() => result.current.reset());
    expect(result.current.isPending).toBe(true);
    act(() => calls[0]?.reject(new Error('No answer')));
    await waitFor(() => expect(result.current.error?.message).toBe('No answer'));
    act(() => result.current.reset());
    await waitFor(() => expect(result.current.error).toBeNull());
  });
});
