/** The texts of `--until` and `--fail-on`, and the wait for the first of them. */
import { systemClock } from '@wirebench/clock';
import {
  type AnswerPattern,
  AnswerWatch,
  expressionFault,
  parseExpressionLiteral,
  unescapeText,
} from '@wirebench/serial';
import { listOf, type OptionValue, type OptionValues } from './commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { readTimeout } from './port-options.ts';

/** A text or an expression that is looked for in received bytes. */
export interface GivenText {
  readonly pattern: AnswerPattern;
  /** Name in sentences: a text in quotes, or an expression as it was typed. */
  readonly name: string;
}

export interface AwaitedTexts {
  /** Null: no text ends the command with 0. */
  readonly until: GivenText | null;
  readonly failOn: readonly GivenText[];
}

/** A text that has come. */
export interface CameText {
  readonly code: ExitCode;
  /** Offset behind it, in bytes from the first one that the watch has taken. */
  readonly end: number;
  /** Text of `--fail-on`, as it is said; null for that of `--until`. */
  readonly forbidden: string | null;
}

/** @throws CommandError for an unknown escape, for no bytes, and for an expression that cannot be used. */
export function readAwaited({ until, failOn }: OptionValues): AwaitedTexts {
  return { until: typeof until === 'string' ? readText(until, '--until') : null, failOn: readForbidden(failOn) };
}

/** Reads `--fail-on`. @throws CommandError as `readAwaited` does. */
export const readForbidden = (failOn: OptionValue): readonly GivenText[] =>
  listOf(failOn).map((text) => readText(text, '--fail-on'));

/**
 * Reads `--timeout`.
 *
 * @param standard Longest wait for a text without the option, in milliseconds.
 * @returns Milliseconds to listen; 0 if neither a text nor a time was given.
 */
export function readWait(options: OptionValues, { until, failOn }: AwaitedTexts, standard: number): number {
  return readTimeout(options) ?? (until === null && failOn.length === 0 ? 0 : standard);
}

/** Watches a port. Returns null if no text was given. @param came Called once. */
export function watchFor({ until, failOn }: AwaitedTexts, came: (text: CameText) => void): AnswerWatch | null {
  // A forbidden text wins where two end at the same byte.
  const texts = until === null ? failOn : [...failOn, until];
  if (texts.length === 0) {
    return null;
  }
  const patterns = texts.map(({ pattern }) => pattern);
  return new AnswerWatch(systemClock, patterns, ({ answer, end }) => {
    const forbidden = failOn[answer]?.name ?? null;
    came({ code: forbidden === null ? exitCodes.ok : exitCodes.failed, end, forbidden });
  });
}

/**
 * Returns the sentence about a text of `--fail-on`.
 *
 * @param where Time and place of the text; empty if the output shows them.
 */
export const forbiddenText = (name: string, where = ''): string =>
  `${name} came${where}, which is a text of --fail-on.`;

/** Returns the sentence about a text that did not come. @param wait In milliseconds. */
export const missedText = ({ name }: GivenText, wait: number): string =>
  `${name} did not come within ${wait / 1_000} s.`;

/** Flags of JavaScript. A word behind a slash with other letters is part of a text, as in `/dev/ttyUSB0`. */
const withFlags = /^\/.+\/[dgimsuvy]*$/s;

const literalFault = (text: string) =>
  /\/[gisu]*$/.test(text)
    ? 'the expression has no end, because its last slash is escaped or in brackets'
    : 'the flags of an expression are i, s and u';

/**
 * Reads an expression, which is written `/source/flags`, or a text with escapes.
 *
 * @returns The reason in place of a pattern if it cannot be used, as a sentence.
 */
export function readPattern(
  text: string,
):
  | (GivenText & { readonly ok: true })
  | { readonly ok: false; readonly isExpression: boolean; readonly fault: string } {
  const expression = parseExpressionLiteral(text);
  if (expression !== null || withFlags.test(text)) {
    const fault = expression === null ? literalFault(text) : expressionFault(expression);
    if (expression === null || fault !== null) {
      const end = fault?.endsWith('.') ? '' : '.';
      const sentence = `${fault}${end} A text that begins with a slash has \\x2f in its place.`;
      return { ok: false, isExpression: true, fault: sentence };
    }
    return { ok: true, pattern: expression, name: text };
  }
  const read = unescapeText(text);
  if (!read.ok || read.bytes.length === 0) {
    const where = read.ok ? '' : ` Character ${read.at + 1} begins no escape.`;
    const fault = `a text with the escapes \\n \\r \\t \\0 \\\\ \\xNN \\u{…}, or an expression as /…/.${where}`;
    return { ok: false, isExpression: false, fault };
  }
  return { ok: true, pattern: { kind: 'bytes', bytes: read.bytes }, name: `"${text}"` };
}

function readText(text: string, flag: string): GivenText {
  const read = readPattern(text);
  if (!read.ok) {
    throw new CommandError(exitCodes.usage, `${flag} ${read.isExpression ? `${text}:` : 'takes'} ${read.fault}`);
  }
  return read;
}
