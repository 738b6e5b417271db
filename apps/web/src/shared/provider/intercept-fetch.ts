import type { Clock } from '@wirebench/clock';
import { isLoginStatus, loginStatusAnswer, loginStatusDelay } from './login-status.ts';

/** Returns a `fetch` that answers the login-status check itself, and forwards everything else unchanged. */
export function interceptingFetch(real: typeof fetch, clock: Pick<Clock, 'sleep'>): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, document.baseURI).href;
    if (isLoginStatus(address)) {
      await clock.sleep(loginStatusDelay.request, init?.signal ?? undefined);
      return new Response(loginStatusAnswer.text, {
        status: loginStatusAnswer.status,
        headers: { 'content-type': loginStatusAnswer.contentType },
      });
    }
    return real(input, init);
  };
}
