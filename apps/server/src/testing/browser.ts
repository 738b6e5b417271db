/** The parts of a browser that a sign-in needs: cookies with paths, single redirects, forms. */
import { createHash, randomBytes } from 'node:crypto';

interface Cookie {
  readonly value: string;
  readonly path: string;
}

export class Browser {
  readonly #cookies = new Map<string, Cookie>();

  get cookieNames(): string[] {
    return [...this.#cookies.keys()];
  }

  /** Does not follow redirects. */
  async fetch(address: string | URL, options: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const headers = new Headers({ accept: 'text/html', ...Object.fromEntries(new Headers(options.headers)) });
    const cookies = [...this.#cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    if (cookies.length > 0) {
      headers.set('cookie', cookies.map(([name, { value }]) => `${name}=${value}`).join('; '));
    }
    const answer = await fetch(url, { ...options, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      this.#keep(line);
    }
    return answer;
  }

  post(address: string | URL, form: Readonly<Record<string, string>>): Promise<Response> {
    return this.fetch(address, { method: 'POST', body: new URLSearchParams(form) });
  }

  /**
   * Follows redirects to the page with the path `end` and returns its address.
   *
   * @throws Error if an answer is not a redirect.
   */
  async follow(address: string | URL, end: string): Promise<URL> {
    let url = new URL(address);
    while (url.pathname !== end) {
      const answer = await this.fetch(url);
      const location = answer.headers.get('location');
      if (location === null) {
        throw new Error(`${url.pathname} answered ${answer.status} and leads nowhere: ${await answer.text()}`);
      }
      url = new URL(location, url);
    }
    return url;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    const attribute = (key: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.split('=')[1];
    const expires = attribute('expires');
    if (value === '' || (expires !== undefined && Date.parse(expires) < Date.now())) {
      this.#cookies.delete(name);
    } else {
      this.#cookies.set(name, { value, path: attribute('path') ?? '/' });
    }
  }
}

/** Returns a code verifier and its S256 challenge (RFC 7636). */
export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
