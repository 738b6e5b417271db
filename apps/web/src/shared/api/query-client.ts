import { QueryClient } from '@tanstack/react-query';

/** Retries are the API client's business: it knows what may be tried again. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
});
