/**
 * A hidden frame that asks the provider for a session without showing anything. `/silent-check-sso.html`, to which the
 * provider sends the frame back, posts its address as Keycloak's adapters expect it: as plain text.
 */
import type { IWindow } from 'oidc-client-ts';
import { SessionError } from './session-errors.ts';

export class SilentFrame implements IWindow {
  readonly #frame = document.createElement('iframe');
  readonly #timeout: number;

  /** @param timeout in seconds. */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#frame.hidden = true;
    this.#frame.title = 'Sign-in check';
  }

  /** Loads `url` and resolves with the address at which the provider's answer arrived. Throws a SessionError `no-valid-session` when none does. */
  async navigate({ url }: { readonly url: string }): Promise<{ url: string }> {
    const done = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new SessionError('no-valid-session')), this.#timeout * 1_000);
        done.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
        window.addEventListener(
          'message',
          ({ data, origin, source }) => {
            if (origin === location.origin && source === this.#frame.contentWindow && typeof data === 'string') {
              resolve({ url: data });
            }
          },
          { signal: done.signal },
        );
        this.#frame.src = url;
        document.body.append(this.#frame);
      });
    } finally {
      done.abort();
      this.close();
    }
  }

  close(): void {
    this.#frame.remove();
  }
}
