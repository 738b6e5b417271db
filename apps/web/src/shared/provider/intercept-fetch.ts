import type { Clock } from '@wirebench/clock';
import type { AnswerCache } from './answer-cache.ts';
import { isLoginStatus, loginStatusAnswer, loginStatusDelay } from './login-status.ts';

/**
 * Returns a `fetch` that answers the login-status check itself, caches discovery and keys, and forwards everything
 * else unchanged.
 */
export function interceptingFetch(real: typeof fetch, clock: Pick<Clock, 'sleep'>, cache: AnswerCache): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, document.baseURI).href;
    if (isLoginStatus(address)) {
      await clock.sleep(loginStatusDelay.request, init?.signal ?? undefined);
      return new Response(loginStatusAnswer.text, {
        status: loginStatusAnswer.status,
        headers: { 'content-type': loginStatusAnswer.contentType },
      });
    }
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    if (method !== 'GET' || !cache.mayKeep(address)) {
      return real(input, init);
    }
    const kept = cache.read(address);
    if (kept !== null) {
      return kept;
    }
    const response = await real(input, init);
    await cache.keep(address, response.clone());
    return response;
  };
}
