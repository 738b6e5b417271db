import { QueryClient } from '@tanstack/react-query';

/**
 * Retries are the API client's business: it knows what may be tried again. A call is made even where the browser believes that
 * it is offline, so that it fails with a sentence and does not wait without one.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
