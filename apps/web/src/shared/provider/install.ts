/** Installs the interception once, before the first request to the provider. */
import { systemClock } from '@wirebench/clock';
import { tabStorage } from '../storage/browser-storage.ts';
import { AnswerCache } from './answer-cache.ts';
import { interceptingFetch } from './intercept-fetch.ts';
import { interceptFrames } from './intercept-frames.ts';
import { interceptingXhr } from './intercept-xhr.ts';

export function installProviderInterception(): void {
  const cache = new AnswerCache(tabStorage, () => Date.now());
  window.fetch = interceptingFetch(window.fetch.bind(window), systemClock, cache);
  window.XMLHttpRequest = interceptingXhr(window.XMLHttpRequest, systemClock);
  interceptFrames(HTMLIFrameElement.prototype);
}
