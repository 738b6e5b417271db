/**
 * Replaces `Worker` in browsers that need polyfills. Workers start by `public/polyfilled-worker.js`, which imports
 * the polyfills before the worker's own code.
 */
import { basePath } from '@wirebench/boards';

export function polyfillWorkers(): void {
  const Native = window.Worker;
  window.Worker = class extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      const { pathname } = new URL(url, document.baseURI);
      super(`${basePath}/polyfilled-worker.js?${new URLSearchParams({ start: pathname })}`, options);
    }
  };
}
