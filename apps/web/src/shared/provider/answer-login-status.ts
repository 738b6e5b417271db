/** Installs the answers to the login-status check once, before the first request to the provider. */
import { type Clock, systemClock } from '@wirebench/clock';
import { staticPages } from '@wirebench/contract/constants';

/**
 * The provider's login-status check: its addresses, and the local answer. The addresses are Keycloak's, as requested
 * by its adapters. Delays and answer are those of docs/behaviour.md, "Sign-in".
 */

/** The local page that a login-status frame shows instead of the provider's. */
const loginStatusPage = staticPages.loginStatus;

const loginStatusAnswer = { text: 'unchanged', status: 200, contentType: 'text/plain' } as const;

/** In milliseconds. */
const loginStatusDelay = { request: 10, frame: 50 } as const;

const PATH = /\/protocol\/openid-connect\/login-status-iframe\.html(?:\/init)?$/;

/** Returns true for an address, absolute or relative to this page, of a login-status check. */
export function isLoginStatus(address: string): boolean {
  return PATH.test(URL.parse(address, document.baseURI)?.pathname ?? '');
}

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

/** Redirects frames for the provider's login-status page to the local page. Changes the given prototype. */
export function interceptFrames(prototype: HTMLIFrameElement): void {
  const src = Object.getOwnPropertyDescriptor(prototype, 'src');
  const { setAttribute } = prototype;
  const local = (address: string) => (isLoginStatus(address) ? loginStatusPage : address);
  if (src?.get === undefined) {
    return;
  }
  const { get } = src;
  Object.defineProperty(prototype, 'src', {
    configurable: true,
    enumerable: true,
    get,
    set(this: HTMLIFrameElement, address: unknown) {
      setAttribute.call(this, 'src', local(String(address)));
    },
  });
  prototype.setAttribute = function (this: HTMLIFrameElement, name: string, value: string) {
    setAttribute.call(this, name, name.toLowerCase() === 'src' ? local(String(value)) : value);
  };
}

export function answerLoginStatus(): void {
  window.fetch = interceptingFetch(window.fetch.bind(window), systemClock);
  window.XMLHttpRequest = interceptingXhr(window.XMLHttpRequest, systemClock);
  interceptFrames(HTMLIFrameElement.prototype);
}
