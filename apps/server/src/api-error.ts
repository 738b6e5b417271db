/** A refusal with one of the contract's codes. Services throw it; the error plugin turns it into the answer. */
import { type ErrorCode, errorText, type FieldIssue } from '@wirebench/contract';

export interface ApiErrorDetails extends ErrorOptions {
  /** In place of the code's sentence, where the sentence names something. */
  readonly message?: string;
  readonly issues?: readonly FieldIssue[];
  /** What is there instead, where a change came too late. */
  readonly current?: string;
  /** Seconds after which asking again makes sense. */
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
