/**
 * Branches of a message in a run: further answers, what to do after each of them or without one; captured text, and a
 * number to choose, in the message itself. Data only: it is the field `flow` of a message in a JKit.
 */
import { jkitLimits } from '@wirebench/contract';
import { fieldsOf, isRecord } from '@wirebench/contract/json';
import { expressionFault, parseExpressionLiteral, parseHexInput } from '@wirebench/serial';
import { type MessageValue, readValue, writeValue } from './message-value.ts';
import type { UnknownKeys } from './stored-fields.ts';

/** Forms of an answer. An expression is written as `/source/flags`. */
export const answerForms = ['text', 'expression', 'hex'] as const;
export type AnswerForm = (typeof answerForms)[number];

/** Way of a run after an answer, or without one. */
export type Then =
  /** `next`: the next repetition or message. `again`: the same message once more, as often as `tries` allows. */
  | { readonly kind: 'next' | 'again' }
  /** @property to Label of a message of the panel, or its position from 1. */
  | { readonly kind: 'goto'; readonly to: string | number }
  /** @property say Sentence of the author about the end. Empty: none. */
  | { readonly kind: 'stop'; readonly passed: boolean; readonly say: string };

export interface FlowAnswer {
  readonly form: AnswerForm;
  readonly content: string;
  readonly go: Then;
}

export interface MessageFlow {
  /** True: the run waits for the answers first, and sends the message after one that goes on. */
  readonly waitFirst: boolean;
  /** True: `{1}`, `{name}` in the text stand for what answers captured, and `{{` for a brace. */
  readonly insert: boolean;
  /** Numbers for `{value}` in the text; null: none is asked for. */
  readonly value: MessageValue | null;
  /** Answers besides `expect`, which comes first and goes on. */
  readonly answers: readonly FlowAnswer[];
  /** Way of the run when no answer comes in time. */
  readonly otherwise: Then;
  /** Most sendings of the message in a row by `again`. */
  readonly tries: number;
  /** Way of the run when `tries` are used up. Never `again`. */
  readonly spent: Then;
}

export const maxAnswers = jkitLimits.answers;
export const longestAnswer = jkitLimits.messageMaxLength;
export const longestSay = jkitLimits.sayMaxLength;
export const triesLimits = { usual: 10, least: 2, most: 10_000 } as const;

export const goOn: Then = { kind: 'next' };
const stopFailed: Then = { kind: 'stop', passed: false, say: '' };

/** A flow in which nothing differs from a message without one. */
export const plainFlow: MessageFlow = {
  waitFirst: false,
  insert: false,
  value: null,
  answers: [],
  otherwise: stopFailed,
  tries: triesLimits.usual,
  spent: stopFailed,
};

/** Returns the sentence about what is wrong with an answer, or null if it can be waited for. */
export function answerFault({ form, content }: Pick<FlowAnswer, 'form' | 'content'>): string | null {
  if (content === '') {
    return 'Type an answer, or remove it.';
  }
  if (content.length > longestAnswer) {
    return `An answer has at most ${longestAnswer} characters.`;
  }
  if (form === 'hex') {
    const hex = parseHexInput(content);
    return hex === null || hex.isOdd || hex.bytes.length === 0 ? 'Write whole bytes in hex, such as 06 0D.' : null;
  }
  if (form === 'expression') {
    const pattern = parseExpressionLiteral(content);
    return pattern === null ? 'Write an expression as /…/, with flags i, s or u behind it.' : expressionFault(pattern);
  }
  return null;
}

/** Serializes a flow. Fields with their usual value are omitted. Null: nothing is left. */
export function writeFlow(flow: MessageFlow): UnknownKeys | null {
  const { waitFirst, insert, value, answers, otherwise, tries, spent } = flow;
  const written = {
    ...(waitFirst ? { waitFirst } : {}),
    ...(insert ? { insert } : {}),
    ...(value === null ? {} : { value: writeValue(value) }),
    ...(answers.length === 0
      ? {}
      : { answers: answers.map(({ form, content, go }) => ({ [form]: content, go: writeThen(go) })) }),
    ...(isSame(otherwise, stopFailed) ? {} : { otherwise: writeThen(otherwise) }),
    ...(tries === triesLimits.usual ? {} : { tries }),
    ...(isSame(spent, stopFailed) ? {} : { spent: writeThen(spent) }),
  };
  return Object.keys(written).length === 0 ? null : written;
}

function writeThen(go: Then): unknown {
  switch (go.kind) {
    case 'goto':
      return { to: go.to };
    case 'stop':
      return { stop: go.passed ? 'passed' : 'failed', ...(go.say === '' ? {} : { say: go.say }) };
    default:
      return go.kind;
  }
}

/** Reads a flow. Returns null for a value that this version cannot use whole, so that the caller keeps it as it is. */
export function readFlow(value: unknown): MessageFlow | null {
  const flow = parseFlow(value);
  // A flow without an effect is kept as it was written.
  return typeof flow === 'string' || writeFlow(flow) === null ? null : flow;
}

/** Returns the place of what this version does not know or cannot read in a flow, such as `flow.loop`; null without one. */
export function unreadInFlow(value: unknown): string | null {
  const flow = parseFlow(value);
  return typeof flow === 'string' ? flow : null;
}

function parseFlow(value: unknown): MessageFlow | string {
  if (!isRecord(value)) {
    return 'flow';
  }
  const { waitFirst = false, insert = false, answers = [], tries = triesLimits.usual, ...rest } = value;
  const { otherwise: givenOtherwise, spent: givenSpent, value: givenValue, ...unknown } = rest;
  const numbers = givenValue === undefined ? null : readValue(givenValue);
  const otherwise = givenOtherwise === undefined ? stopFailed : readThen(givenOtherwise);
  const spent = givenSpent === undefined ? stopFailed : readThen(givenSpent);
  const read = Array.isArray(answers) ? answers.map(readAnswer) : null;
  const known = read?.filter((answer) => answer !== null) ?? [];
  const checks: Readonly<Record<string, boolean>> = {
    ...Object.fromEntries(Object.keys(unknown).map((key) => [key, false])),
    waitFirst: typeof waitFirst === 'boolean',
    insert: typeof insert === 'boolean',
    value: givenValue === undefined || numbers !== null,
    answers: read !== null && known.length <= maxAnswers,
    [`answers[${(read?.indexOf(null) ?? 0) + 1}]`]: read === null || known.length === read.length,
    otherwise: otherwise !== null,
    tries: isTries(tries),
    spent: spent !== null && spent.kind !== 'again',
  };
  const unread = Object.keys(checks).find((key) => !checks[key]);
  return unread === undefined
    ? ({ waitFirst, insert, value: numbers, answers: known, otherwise, tries, spent } as MessageFlow)
    : `flow.${unread}`;
}

function isTries(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= triesLimits.least && value <= triesLimits.most
  );
}

function readAnswer(value: unknown): FlowAnswer | null {
  const { go: given = 'next', ...form } = fieldsOf(value);
  const [[name, content] = [], ...others] = Object.entries(form);
  const known = answerForms.find((candidate) => candidate === name);
  const go = readThen(given);
  if (known === undefined || typeof content !== 'string' || others.length > 0 || go === null) {
    return null;
  }
  const answer = { form: known, content, go };
  return answerFault(answer) === null ? answer : null;
}

function readThen(value: unknown): Then | null {
  if (value === 'next' || value === 'again') {
    return { kind: value };
  }
  const { to, stop, say, ...unknown } = fieldsOf(value);
  if (Object.keys(unknown).length > 0) {
    return null;
  }
  if (stop === undefined && say === undefined) {
    return isTarget(to) ? { kind: 'goto', to } : null;
  }
  const isSaid = say === undefined || (typeof say === 'string' && say !== '' && say.length <= longestSay);
  const isStop = to === undefined && (stop === 'passed' || stop === 'failed') && isSaid;
  return isStop ? { kind: 'stop', passed: stop === 'passed', say: say ?? '' } : null;
}

function isTarget(to: unknown): to is string | number {
  return typeof to === 'string'
    ? to !== '' && to === to.trim() && to.length <= jkitLimits.labelMaxLength
    : typeof to === 'number' && Number.isInteger(to) && to >= 1 && to <= jkitLimits.messages;
}

/** Returns a flow whose branches to the label `from` lead to `to`. Returns the flow itself if it has none. */
export function withRenamedLabel(flow: MessageFlow, from: string, to: string): MessageFlow {
  const renamed = (go: Then): Then => (go.kind === 'goto' && go.to === from ? { kind: 'goto', to } : go);
  const { answers, otherwise, spent } = flow;
  const leads = [otherwise, spent, ...answers.map(({ go }) => go)].some((go) => renamed(go) !== go);
  return leads
    ? {
        ...flow,
        answers: answers.map((answer) => ({ ...answer, go: renamed(answer.go) })),
        otherwise: renamed(otherwise),
        spent: renamed(spent),
      }
    : flow;
}

function isSame(a: Then, b: Then): boolean {
  return JSON.stringify(writeThen(a)) === JSON.stringify(writeThen(b));
}

/** Returns the answer as it is shown in a sentence. */
export function answerText({ form, content }: Pick<FlowAnswer, 'form' | 'content'>): string {
  return form === 'text' ? `"${content}"` : content;
}
