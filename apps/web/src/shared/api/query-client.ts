/** The page's only TanStack Query client. Loaded with the first feature that shows data of the server. */
import { focusManager, QueryClient } from '@tanstack/react-query';

/**
 * The API client does the retries, because it knows which calls may be repeated. Calls are made even if the browser
 * believes to be offline, so that they fail with a message and do not wait silently.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true },
    // The result of a call is dropped as soon as no component shows it, because it may be a new token.
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
});

// By default the library refetches when a tab becomes visible. Two windows side by side are always visible, so their
// focus counts, too.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  window.addEventListener('visibilitychange', listener);
  window.addEventListener('focus', listener);
  return () => {
    window.removeEventListener('visibilitychange', listener);
    window.removeEventListener('focus', listener);
  };
});

// Listens to focus and network from now on. A provider would do the same, but the light pages start without this
// file.
queryClient.mount();
