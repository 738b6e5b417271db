/** Failed calls as errors (docs/behaviour.md, "Failed calls"). */

const NO_RESPONSE = 'Network error: No response from server';
const UNEXPECTED = 'An unexpected error occurred';

/** A failed call. `status` is 0 if no answer arrived. */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  /** The answer's body: parsed JSON, or text if it is not JSON. Null without a body. */
  readonly body: unknown;

  constructor(message: string, answer: { status: number; statusText: string; body: unknown }, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = answer.status;
    this.statusText = answer.statusText;
    this.body = answer.body;
  }
}

/**
 * Returns the error for an answer outside of 200 to 299. Its message is the server's field `message`, else its field
 * `error`, else the HTTP error text.
 */
export async function refusal(response: Response): Promise<ApiError> {
  const { status, statusText } = response;
  const body = await readBody(response);
  const message = textField(body, 'message') ?? textField(body, 'error') ?? `HTTP ${status} ${statusText}`.trimEnd();
  return new ApiError(message, { status, statusText, body });
}

/** Returns the error of a call without an answer. */
export function noResponse(cause: unknown): ApiError {
  return new ApiError(NO_RESPONSE, { status: 0, statusText: '', body: null }, { cause });
}

/** Returns the error for a successful answer with unexpected content. */
export function unexpectedAnswer({ status, statusText }: Response, body: string, cause: unknown): ApiError {
  return new ApiError(UNEXPECTED, { status, statusText, body }, { cause });
}

/**
 * Returns '{operation} failed: {message}'. The message is the error's own, else that of its `response` or of
 * `response.data`.
 */
export function operationFailure(operation: string, error: unknown): string {
  return `${operation} failed: ${errorMessage(error)}`;
}

/** Returns the sentence to show for any thrown value. */
export function errorMessage(error: unknown): string {
  const response = field(error, 'response');
  return (
    textField(error, 'message') ??
    textField(response, 'message') ??
    textField(field(response, 'data'), 'message') ??
    UNEXPECTED
  );
}

/** Returns the server's field `error` of a failed call, for screens that prefer it to the message. Null without one. */
export function serverError(error: unknown): string | null {
  return error instanceof ApiError ? textField(error.body, 'error') : null;
}

/** Returns true if the server gave a reason with a code of its own. A proxy's answer has no code. */
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
