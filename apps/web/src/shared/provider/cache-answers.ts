/** Caches the provider's discovery document and keys in this page. Loaded with the code that asks for them. */
import { tabStorage } from '../storage/browser-storage.ts';
import { AnswerCache } from './answer-cache.ts';

/** Returns a `fetch` that caches discovery and keys, and forwards everything else unchanged. */
export function cachingFetch(real: typeof fetch, cache: AnswerCache): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, document.baseURI).href;
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

let isInstalled = false;

/** Replaces `fetch`, because oidc-client-ts uses the global one. Further calls have no effect. */
export function cacheProviderAnswers(): void {
  if (!isInstalled) {
    isInstalled = true;
    window.fetch = cachingFetch(window.fetch.bind(window), new AnswerCache(tabStorage, () => Date.now()));
  }
}
