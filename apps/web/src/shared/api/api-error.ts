/** Failed calls as errors (docs/behaviour.md, "Failed calls"). */

const NO_RESPONSE = 'Network error: No response from server';
const UNEXPECTED = 'An unexpected error occurred';

/** A call that failed. `status` is 0 when nobody answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  /** The answer's body: parsed when it was JSON, otherwise its text; null when it had none. */
  readonly body: unknown;

  constructor(message: string, answer: { status: number; statusText: string; body: unknown }, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = answer.status;
    this.statusText = answer.statusText;
    this.body = answer.body;
  }
}

/** The error for an answer outside of 200 to 299: the server's message field, else its error field, else the HTTP error text. */
export async function refusal(response: Response): Promise<ApiError> {
  const { status, statusText } = response;
  const body = await readBody(response);
  const message = textField(body, 'message') ?? textField(body, 'error') ?? `HTTP ${status} ${statusText}`.trimEnd();
  return new ApiError(message, { status, statusText, body });
}

/** The error for a call that nobody answered. */
export function noResponse(cause: unknown): ApiError {
  return new ApiError(NO_RESPONSE, { status: 0, statusText: '', body: null }, { cause });
}

/** The error for a good answer that is not what was asked for. */
export function unexpectedAnswer({ status, statusText }: Response, body: string, cause: unknown): ApiError {
  return new ApiError(UNEXPECTED, { status, statusText, body }, { cause });
}

/**
 * '{operation} failed: {message}'. The message is the error's own, else the one in the answer it carries, as itself or as
 * its data.
 */
export function operationFailure(operation: string, error: unknown): string {
  return `${operation} failed: ${errorMessage(error)}`;
}

/** What to tell of anything that was thrown. */
export function errorMessage(error: unknown): string {
  const response = field(error, 'response');
  return (
    textField(error, 'message') ??
    textField(response, 'message') ??
    textField(field(response, 'data'), 'message') ??
    UNEXPECTED
  );
}

/** The server's own field `error` in a failed call's body, where a screen prefers it to the message; null when there is none. */
export function serverError(error: unknown): string | null {
  return error instanceof ApiError ? textField(error.body, 'error') : null;
}

/** Whether the server has said why, with a code of its own: a proxy's answer has none. */
export function hasReason({ body }: ApiError): boolean {
  return textField(body, 'code') !== null && textField(body, 'message') !== null;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return text === '' ? null : text;
    }
    throw error;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textField(value: unknown, name: string): string | null {
  const text = field(value, name);
  return typeof text === 'string' && text !== '' ? text : null;
}
