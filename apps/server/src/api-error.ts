/** A refusal with one of the contract's codes. Services throw it; the error plugin turns it into the answer. */
import { type ErrorCode, errorText, type FieldIssue } from '@wirebench/contract';

export interface ApiErrorDetails extends ErrorOptions {
  /** Replaces the code's sentence if the sentence has to name something. */
  readonly message?: string;
  readonly issues?: readonly FieldIssue[];
  /** The current state, for a change that came too late. */
  readonly current?: string;
  /** Seconds after which the client may retry. */
  readonly retryAfter?: number;
}

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly FieldIssue[] | null;
  readonly retryAfter: number | null;
  readonly current: string | null;

  constructor(
    code: ErrorCode,
    { message = errorText[code], issues, retryAfter, current, ...options }: ApiErrorDetails = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.code = code;
    this.issues = issues ?? null;
    this.retryAfter = retryAfter ?? null;
    this.current = current ?? null;
  }
}

/**
 * Returns `item`.
 *
 * @throws ApiError `not-found` for null.
 */
export function requireFound<Item>(item: Item | null): Item {
  if (item === null) {
    throw new ApiError('not-found');
  }
  return item;
}

/** Returns the refusal of a request for one of its fields. */
export function refusedField(path: string, message: string): ApiError {
  return new ApiError('invalid-request', { message, issues: [{ path, message }] });
}
