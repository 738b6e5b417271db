/** Body of every answer that refuses a call. */
import * as z from 'zod/mini';
import { type ErrorCode, errorText } from './error-codes.ts';

const codes = Object.keys(errorText) as ErrorCode[];

const FieldIssue = z.object({
  /** Keys from the body or query to the invalid field, joined by dots. Empty if the whole is invalid. */
  path: z.string(),
  message: z.string(),
});
export type FieldIssue = z.infer<typeof FieldIssue>;

/** `error` and `message` hold the same sentence. */
export const ErrorAnswer = z.object({
  error: z.string(),
  message: z.string(),
  code: z.enum(codes),
  issues: z.optional(z.array(FieldIssue)),
  /** The server's current value, if a change was based on an older one. */
  current: z.optional(z.string()),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
