/**
 * A hidden frame that asks the provider for a session. The provider redirects it to `/silent-check-sso.html`, which
 * posts its address as plain text, as Keycloak's adapters expect.
 */
import type { IWindow } from 'oidc-client-ts';
import { SessionError } from './session-errors.ts';

export class SilentFrame implements IWindow {
  readonly #frame = document.createElement('iframe');
  readonly #timeout: number;

  /** @param timeout In seconds. */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#frame.hidden = true;
    this.#frame.title = 'Sign-in check';
  }

  /**
   * Loads `url`, and resolves with the address of the provider's redirect.
   * @throws SessionError `no-valid-session` if it does not arrive.
   */
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
