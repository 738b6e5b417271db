/** Installs the answers to the login-status check once, before the first request to the provider. */
import { systemClock } from '@wirebench/clock';
import { interceptingFetch } from './intercept-fetch.ts';
import { interceptFrames } from './intercept-frames.ts';
import { interceptingXhr } from './intercept-xhr.ts';

export function answerLoginStatus(): void {
  window.fetch = interceptingFetch(window.fetch.bind(window), systemClock);
  window.XMLHttpRequest = interceptingXhr(window.XMLHttpRequest, systemClock);
  interceptFrames(HTMLIFrameElement.prototype);
}
