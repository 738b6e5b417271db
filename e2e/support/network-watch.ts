/**
 * Waits until a page requests nothing more. Playwright's own `networkidle` ends with the first pause, which on a busy
 * machine comes before the page has requested the scripts that it loads by itself.
 */
import type { Page, Request } from '@playwright/test';

/** Pause after which the network is idle, in milliseconds, as Playwright's `networkidle` has it. */
const IDLE = 500;

export class NetworkWatch {
  readonly #running = new Set<Request>();
  readonly #requests: Request[] = [];
  #changed: () => void = () => undefined;

  constructor(page: Page) {
    page.on('request', (request) => {
      this.#requests.push(request);
      this.#running.add(request);
      this.#changed();
    });
    for (const event of ['requestfinished', 'requestfailed'] as const) {
      page.on(event as 'requestfinished', (request) => {
        this.#running.delete(request);
        this.#changed();
      });
    }
  }

  /** All requests so far, in their order. */
  get requests(): readonly Request[] {
    return this.#requests;
  }

  /** Resolves after a pause without requests. Call it when the page shows what it is waited for. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      this.#changed = () => {
        clearTimeout(timer);
        if (this.#running.size === 0) {
          timer = setTimeout(resolve, IDLE);
        }
      };
      this.#changed();
    });
  }
}
