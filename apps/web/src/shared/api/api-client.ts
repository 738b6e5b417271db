/**
 * Client of the product's server: sends a bearer token, retries once after a refusal, and checks answers against
 * their schema. The token source knows the session and renews tokens.
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
  /** Origin in front of the paths. Empty for the page's own origin. */
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  readonly fetch: typeof fetch;
}

/** Validates an answer and returns it, or throws: for example a zod schema. */
export interface AnswerSchema<Answer> {
  parse(value: unknown): Answer;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Form data is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the parsed JSON answer.
   * @throws ApiError, SessionError, or the reason of the signal.
   */
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

  /** Returns the raw answer, for answers without JSON. Throws like `request`. */
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

  /** The second and last attempt. */
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
    // A refusal with one of the server's codes is final. Another token does not change it.
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
