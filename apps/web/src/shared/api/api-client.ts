/**
 * Calls to the product's server: bearer token, one retry after a refusal, answers checked against their schema. Who is signed
 * in and how tokens are renewed is its token source's business.
 */
import { jkitText } from '@wirebench/contract/constants';
import { sessionErrorText } from '../session/session-errors.ts';
import { ApiError, hasReason, noResponse, refusal, unexpectedAnswer } from './api-error.ts';

/** Supplies access tokens. `SessionKeeper` documents the errors of each method. */
export interface TokenSource {
  tokenForCall(): Promise<string | null>;
  tokenAfterRefusal(refusedToken: string): Promise<string>;
  end(refusedToken: string, text: string): void;
}

export interface ApiClientOptions {
  /** Origin in front of the paths; empty for the page's own. */
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  readonly fetch: typeof fetch;
}

/** Anything that turns an answer into what it should be, or throws: a zod schema. */
export interface AnswerSchema<Answer> {
  parse(value: unknown): Answer;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Left out where undefined. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, or as it is when it is form data. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** The parsed JSON answer. Throws an ApiError, a SessionError, or the signal's reason. */
  async request<Answer>(path: string, schema: AnswerSchema<Answer>, call: Call = {}): Promise<Answer> {
    const response = await this.send(path, call);
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw call.signal?.aborted ? error : noResponse(error);
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw unexpectedAnswer(response, text, error);
    }
  }

  /** The answer itself, for those without JSON. Throws as `request` does. */
  async send(path: string, call: Call = {}): Promise<Response> {
    const { tokens } = this.#options;
    const token = await tokens.tokenForCall();
    const response = await this.#once(path, call, token);
    if (response.ok) {
      return response;
    }
    if (token === null || (response.status !== 401 && response.status !== 403)) {
      throw await refusal(response);
    }
    const fresh = await tokens.tokenAfterRefusal(token);
    return this.#retry(path, call, fresh);
  }

  /** The second and last try. */
  async #retry(path: string, call: Call, token: string): Promise<Response> {
    let failure: ApiError;
    try {
      const response = await this.#once(path, call, token);
      if (response.ok) {
        return response;
      }
      failure = await refusal(response);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      failure = error;
    }
    if (failure.status === 401) {
      const { message } = failure;
      this.#options.tokens.end(token, message === jkitText.signInRequired ? message : sessionErrorText.expired);
      throw failure;
    }
    // A refusal with a code of the server's is its answer, which another token does not change.
    throw hasReason(failure) ? failure : new ApiError(sessionErrorText['request-failed'], failure, { cause: failure });
  }

  async #once(path: string, call: Call, token: string | null): Promise<Response> {
    const { method = 'GET', query = {}, body, signal } = call;
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
    const headers = new Headers({ accept: 'application/json' });
    if (token !== null) {
      headers.set('authorization', `Bearer ${token}`);
    }
    const asJson = body !== undefined && !(body instanceof FormData);
    if (asJson) {
      headers.set('content-type', 'application/json');
    }
    try {
      return await this.#options.fetch(`${this.#options.baseUrl}${path}${search}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: asJson ? JSON.stringify(body) : body }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      throw signal?.aborted ? error : noResponse(error);
    }
  }
}
