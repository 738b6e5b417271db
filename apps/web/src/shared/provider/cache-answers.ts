/** Caches the provider's discovery document and keys in this page. Loaded with the code that asks for them. */
import { type TextStorage, tabStorage } from '../storage/browser-storage.ts';

/** In milliseconds. */
const LIFETIME = 600_000;

const PREFIX = 'wirebench.provider.';
const DISCOVERY = /\/\.well-known\/openid-configuration$/;
const KEYCLOAK_KEYS = /\/protocol\/openid-connect\/certs$/;

interface KeptAnswer {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly text: string;
}

/** Cache for the provider's discovery document and public keys, in session storage, for 10 minutes. */
export class AnswerCache {
  readonly #storage: TextStorage;
  readonly #now: () => number;
  /** Key addresses named in discovery documents, for providers with other paths than Keycloak's. */
  readonly #keyAddresses = new Set<string>();

  /** @param now Returns milliseconds since the Unix epoch. */
  constructor(storage: TextStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Returns true for answers that may be cached: discovery and keys only. */
  mayKeep(address: string): boolean {
    const path = URL.parse(address)?.pathname ?? '';
    return DISCOVERY.test(path) || KEYCLOAK_KEYS.test(path) || this.#keyAddresses.has(address);
  }

  /** Returns the cached answer to `address` as it was received. Null if there is none or it is too old. */
  read(address: string): Response | null {
    const kept = parseAnswer(this.#storage.getItem(PREFIX + address));
    if (kept === null) {
      return null;
    }
    const age = this.#now() - kept.at;
    if (age < 0 || age >= LIFETIME) {
      this.#storage.removeItem(PREFIX + address);
      return null;
    }
    this.#learn(address, kept.text);
    return Response.json(JSON.parse(kept.text));
  }

  /** Caches a successful answer if it is JSON. */
  async keep(address: string, response: Response): Promise<void> {
    const text = response.ok ? await response.text() : '';
    if (isJson(text)) {
      this.#learn(address, text);
      this.#storage.setItem(PREFIX + address, JSON.stringify({ at: this.#now(), text } satisfies KeptAnswer));
    }
  }

  #learn(address: string, text: string): void {
    if (DISCOVERY.test(URL.parse(address)?.pathname ?? '')) {
      const document: unknown = JSON.parse(text);
      if (typeof document === 'object' && document !== null && 'jwks_uri' in document) {
        this.#keyAddresses.add(String(document.jwks_uri));
      }
    }
  }
}

function parseAnswer(text: string | null): KeptAnswer | null {
  const value: unknown = text !== null && isJson(text) ? JSON.parse(text) : null;
  const fits =
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'text' in value &&
    typeof value.text === 'string' &&
    isJson(value.text);
  return fits ? (value as KeptAnswer) : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return false;
    }
    throw error;
  }
}

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
