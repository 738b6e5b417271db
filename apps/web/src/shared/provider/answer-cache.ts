/** Cache for the provider's discovery document and public keys, in session storage, for 10 minutes. */
import type { TextStorage } from '../storage/browser-storage.ts';

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
