/**
 * What is in the content of a jkit: messages in their order, and how they are sent. This is what is understood of it; other
 * keys may be beside these. They belong to whoever wrote them, so content is kept as text.
 */
import * as z from 'zod/mini';
import { jkitLimits } from './jkit-rules.ts';

const Type = z.enum(['ascii', 'hex']);

const Text = z.string().check(z.minLength(1), z.maxLength(jkitLimits.messageMaxLength));

/** Pairs of hex digits, white space between them as one likes. */
function isHex(text: string): boolean {
  const digits = text.replaceAll(/\s/g, '');
  return digits.length > 0 && digits.length % 2 === 0 && /^[\dA-F]+$/i.test(digits);
}

const isWritten = ({ content, type }: { content: string; type?: 'ascii' | 'hex' | undefined }) =>
  type !== 'hex' || isHex(content);

/** Text is sent with the line ending, hex as it is. */
const TypedText = z.object({ content: Text, type: z.optional(Type) }).check(z.refine(isWritten));

const milliseconds = (least: number) => z.int().check(z.minimum(least), z.maximum(600_000));

export const JkitMessage = z
  .object({
    content: Text,
    type: z.optional(Type),
    /** What must have come from the port before the next message of a run is sent; a bare text is of the message's own type. */
    expect: z.optional(z.union([Text, TypedText])),
    /** Longest wait for it; 1,000 without it. */
    timeoutMs: z.optional(milliseconds(1)),
    /** Pause after the message, and after each of its repetitions. */
    delayMs: z.optional(milliseconds(0)),
    /** How often it is sent in a row. */
    repeat: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  })
  .check(z.refine(isWritten));
export type JkitMessage = z.infer<typeof JkitMessage>;

export const JkitContent = z.object({
  fields: z.array(z.union([Text, JkitMessage])).check(z.maxLength(jkitLimits.messages)),
  settings: z.optional(
    z.object({
      /** False ends a message with LF, true with CRLF, unless `ending` says otherwise. */
      lineEnding: z.optional(z.boolean()),
      ending: z.optional(z.enum(['none', 'cr'])),
    }),
  ),
});
export type JkitContent = z.infer<typeof JkitContent>;
