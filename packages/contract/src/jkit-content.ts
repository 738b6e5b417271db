/**
 * Schema of the content of a UART JKit: messages in their order, and how they are sent. Unknown keys are allowed and
 * belong to the author, so content is stored as text.
 */
import * as z from 'zod/mini';
import { jkitLimits } from './jkit-rules.ts';

const Type = z.enum(['ascii', 'hex']);

const Text = z.string().check(z.minLength(1), z.maxLength(jkitLimits.messageMaxLength));

/** True for pairs of hex digits with any white space in between. */
const isHex = (text: string) => /^(?:[\dA-F]{2})+$/i.test(text.replaceAll(/\s/g, ''));

const isWritten = ({ content, type }: { content: string; type?: 'ascii' | 'hex' | undefined }) =>
  type !== 'hex' || isHex(content);

/** Text is sent with the line ending; hex is sent without it. */
const TypedText = z.object({ content: Text, type: z.optional(Type) }).check(z.refine(isWritten));

const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
/** A whole number in this range, or none. */
const mayBe = (least: number, most: number) => z.optional(whole(least, most));

const Label = z.string().check(z.minLength(1), z.maxLength(jkitLimits.labelMaxLength));

/** Way of a run after an answer, or without one. `to` has the label of a message, or its position from 1. */
const Go = z.union([
  z.enum(['next', 'again']),
  z.object({ to: z.union([Label, whole(1, jkitLimits.messages)]) }),
  z.object({
    stop: z.enum(['passed', 'failed']),
    say: z.optional(z.string().check(z.minLength(1), z.maxLength(jkitLimits.sayMaxLength))),
  }),
]);

/** An answer in one of three forms: `text`, `hex`, or `expression` as `/source/flags`. */
const Answer = z.union([
  z.object({ text: Text, go: z.optional(Go) }),
  z.object({ expression: Text.check(z.regex(/^\/.+\/[a-z]*$/s)), go: z.optional(Go) }),
  z.object({ hex: Text.check(z.refine(isHex)), go: z.optional(Go) }),
]);

const bounded = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most));

/** Numbers from `from` to `to` in steps. A person chooses one of them, in place of `{value}` in a text. */
const Value = z
  .object({
    from: bounded(-jkitLimits.valueMax, jkitLimits.valueMax),
    to: bounded(-jkitLimits.valueMax, jkitLimits.valueMax),
    /** 1 by default. Six decimals at most. */
    step: z.optional(bounded(jkitLimits.valueMinStep, jkitLimits.valueMax)),
    /** Shown behind the number. It is not sent. */
    unit: z.optional(z.string().check(z.minLength(1), z.maxLength(jkitLimits.unitMaxLength))),
    /** Most sendings by a slider, a second; 10 by default. */
    perSecond: mayBe(1, jkitLimits.valuesPerSecond),
    /** True: a slider also sends while it is dragged, else when it is let go. */
    whileDragging: z.optional(z.boolean()),
  })
  .check(z.refine(({ from, to, step = 1 }) => from < to && step <= to - from));

/** Branches of a message in a run. Readers that do not know all of them keep them, and do not run the message. */
const Flow = z.object({
  /** True: wait for the answers first, and send the message after one that goes on. */
  waitFirst: z.optional(z.boolean()),
  /** True: `{1}` and `{name}` in the message stand for captured text, and `{{` for a brace. */
  insert: z.optional(z.boolean()),
  /** The text has `{value}`, for which a person chooses a number. Readers of before 2027 keep it, and send nothing. */
  value: z.optional(Value),
  /** Answers besides `expect`. Each goes on unless `go` says otherwise. */
  answers: z.optional(z.array(Answer).check(z.maxLength(jkitLimits.answers))),
  /** Way of the run when no answer comes in time; by default the run stops. */
  otherwise: z.optional(Go),
  /** Most sendings in a row by `again`; 10 by default. */
  tries: mayBe(2, 10_000),
  /** Way of the run when the tries are used up; by default the run stops. */
  spent: z.optional(Go),
});

export const JkitMessage = z
  .object({
    content: Text,
    type: z.optional(Type),
    /** Name of the message, shown before its content. Readers that do not know it keep it. */
    label: z.optional(Label),
    /** True: logs and transcripts have the name of the message instead of what is sent. Readers that do not know it keep it. */
    hidden: z.optional(z.boolean()),
    /**
     * Bytes that the port must have received before a run sends its next message. A plain text has the message's own
     * type.
     */
    expect: z.optional(z.union([Text, TypedText])),
    /** Longest wait for an answer, in milliseconds; 1,000 by default. Readers of before 2027 know 600,000 at most. */
    timeoutMs: mayBe(1, 86_400_000),
    /** Pause after the message and after each repetition, in milliseconds. */
    delayMs: mayBe(0, 600_000),
    /** Number of times that the message is sent in a row. */
    repeat: mayBe(1, 10_000),
    flow: z.optional(Flow),
    /** Number of the board in a test on several boards; 1 by default. A panel has one port and runs board 1 alone. */
    board: mayBe(1, 4),
  })
  .check(z.refine(isWritten));
export type JkitMessage = z.infer<typeof JkitMessage>;

export const JkitContent = z.object({
  fields: z.array(z.union([Text, JkitMessage])).check(z.maxLength(jkitLimits.messages)),
  /**
   * Rules of the terminal, which checks each when it loads them. Readers that do not know them keep them. In a test, a
   * rule whose `must` is `fire` or `not-fire` has to fire, or must not.
   */
  rules: z.optional(z.array(z.unknown())),
  /** Limits of a test on boards (decision 88). The terminal keeps them. */
  test: z.optional(
    z.object({
      /** Longest time of all messages together, in seconds. */
      seconds: mayBe(1, 86_400),
    }),
  ),
  settings: z.optional(
    z.object({
      /** False ends a message with LF, true with CRLF. `ending` overrides both. */
      lineEnding: z.optional(z.boolean()),
      ending: z.optional(z.enum(['none', 'cr'])),
    }),
  ),
});
export type JkitContent = z.infer<typeof JkitContent>;
