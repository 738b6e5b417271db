import type { Clock } from '@wirebench/clock';
import { isLoginStatus, loginStatusAnswer, loginStatusDelay } from './login-status.ts';

/**
 * Returns an XMLHttpRequest class that answers the login-status check itself, and behaves like the real one for every
 * other address.
 */
export function interceptingXhr(Real: typeof XMLHttpRequest, clock: Pick<Clock, 'schedule'>): typeof XMLHttpRequest {
  return class extends Real {
    #local = false;
    #cancel: () => void = () => undefined;

    override open(
      method: string,
      url: string | URL,
      async = true,
      user?: string | null,
      password?: string | null,
    ): void {
      this.#local = isLoginStatus(String(url));
      super.open(method, url, async, user, password);
    }

    override send(body?: Document | XMLHttpRequestBodyInit | null): void {
      if (!this.#local) {
        super.send(body);
        return;
      }
      this.#cancel = clock.schedule(loginStatusDelay.request, () => this.#answer());
    }

    override abort(): void {
      this.#cancel();
      super.abort();
    }

    /**
     * The answer's properties of the real class are read-only on its prototype. Properties of this instance override
     * them.
     */
    #answer(): void {
      const { text, status, contentType } = loginStatusAnswer;
      const answers = {
        readyState: Real.DONE,
        status,
        statusText: 'OK',
        response: text,
        responseText: text,
        getAllResponseHeaders: () => `content-type: ${contentType}\r\n`,
        getResponseHeader: (name: string) => (name.toLowerCase() === 'content-type' ? contentType : null),
      };
      for (const [name, value] of Object.entries(answers)) {
        Object.defineProperty(this, name, { value, configurable: true });
      }
      this.dispatchEvent(new Event('readystatechange'));
      this.dispatchEvent(new ProgressEvent('load'));
      this.dispatchEvent(new ProgressEvent('loadend'));
    }
  };
}
