/** The body of every refusal. */
import * as z from 'zod/mini';
import { type ErrorCode, errorText } from './error-codes.ts';

const codes = Object.keys(errorText) as ErrorCode[];

const FieldIssue = z.object({
  /** Keys from the body or query down to the field, joined by dots; empty for the whole. */
  path: z.string(),
  message: z.string(),
});
export type FieldIssue = z.infer<typeof FieldIssue>;

/** `error` and `message` are the same sentence. */
export const ErrorAnswer = z.object({
  error: z.string(),
  message: z.string(),
  code: z.enum(codes),
  issues: z.optional(z.array(FieldIssue)),
  /** What the server has instead, where a change came too late. */
  current: z.optional(z.string()),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
