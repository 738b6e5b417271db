/** The page's one TanStack Query client. Fetched with the first feature that shows what the server has. */
import { focusManager, QueryClient } from '@tanstack/react-query';

/**
 * Retries are the API client's business: it knows what may be tried again. A call is made even where the browser believes that
 * it is offline, so that it fails with a sentence and does not wait without one.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true },
    // The answer of a call is dropped as soon as no component shows it: it may be a new token.
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
});

// By itself the library hears when a tab is shown again. Two windows side by side are both shown all the time.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  window.addEventListener('visibilitychange', listener);
  window.addEventListener('focus', listener);
  return () => {
    window.removeEventListener('visibilitychange', listener);
    window.removeEventListener('focus', listener);
  };
});

// Hears the focus and the network from now on: a provider would do it, but the light pages start without this file.
queryClient.mount();
