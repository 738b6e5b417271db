/** Prepares the steps of a run from messages, or returns the reason why they cannot be sent. */
import { type AnswerPattern, groupNamesOf, type LineEnding, parseExpressionLiteral } from '@wirebench/serial';
import { referencesIn, templateOf } from './captures.ts';
import { type AnswerForm, goOn, type MessageFlow, type Then } from './message-flow.ts';
import {
  boardOf,
  encodeMessage,
  hiddenName,
  numbersOf,
  type PinnedMessage,
  unreadInMessage,
} from './pinned-message.ts';
import { quoted } from './quoted.ts';
import type { RunStep, StepFlow, StepThen } from './run-steps.ts';

export type Refusable<Value> = ({ readonly ok: true } & Value) | { readonly ok: false; readonly reason: string };

/** The panel or JKit that the messages of a run belong to. */
export interface RunContext {
  /** Branches lead to these messages. */
  readonly all: readonly PinnedMessage[];
  readonly ending: LineEnding;
  /** Number of boards that the run may send to; 1 by default. */
  readonly boards?: number;
}

export interface PreparedSteps {
  readonly messages: readonly PinnedMessage[];
  /** One step for each message. */
  readonly steps: readonly RunStep[];
}

/**
 * Encodes messages as steps of a run.
 *
 * @param messages All or some of the messages of the panel or JKit.
 */
export function prepareSteps(messages: readonly PinnedMessage[], context: RunContext): Refusable<PreparedSteps> {
  const captured = capturesOf(messages);
  const steps: RunStep[] = [];
  for (const message of messages) {
    const step = stepOf(message, context, captured, messages.length === context.all.length);
    if (!step.ok) {
      return { ok: false, reason: `${quoted(message)}: ${step.reason}` };
    }
    steps.push(step.step);
  }
  return { ok: true, messages, steps };
}

/** Returns all references that have a value after some answer of these messages. */
function capturesOf(messages: readonly PinnedMessage[]): ReadonlySet<string> {
  const references = new Set<string>();
  for (const { form, content } of messages.flatMap(({ flow }) => flow?.answers ?? [])) {
    const pattern = form === 'expression' ? parseExpressionLiteral(content) : null;
    const names = pattern === null ? [] : groupNamesOf(pattern);
    for (let number = 1; number < names.length; number++) {
      references
        .add('0')
        .add(String(number))
        .add(names[number] ?? '0');
    }
  }
  return references;
}

function stepOf(
  message: PinnedMessage,
  { all, ending, boards = 1 }: RunContext,
  captured: ReadonlySet<string>,
  isWhole: boolean,
): Refusable<{ readonly step: RunStep }> {
  const { id: messageId, expect, file, flow, timeoutMs, delayMs, repeat } = message;
  const unread = unreadInMessage(message);
  if (unread !== null) {
    return {
      ok: false,
      reason: `this version cannot read its "${unread}", so nothing is sent. Edit the command, or update Wirebench.`,
    };
  }
  const board = boardOf(message) ?? 1;
  if (board > boards) {
    return { ok: false, reason: `it is for board ${board}. A panel has one port: "wirebench test" runs it.` };
  }
  if (numbersOf(message) !== null) {
    return {
      ok: false,
      reason: 'no number was chosen for {value}. Send it by itself first; a test has the number in its text.',
    };
  }
  const encoded = encodeMessage(message, ending);
  const answer = expect === null ? null : encodeMessage(expect, 'none');
  if (!encoded.ok) {
    return { ok: false, reason: encoded.message };
  }
  if (answer?.ok === false) {
    return { ok: false, reason: answer.message };
  }
  const { bytes } = encoded;
  const name = hiddenName(message);
  const expected = answer === null ? null : bytesPattern(answer.bytes, expect?.type === 'hex');
  const plain: RunStep = {
    messageId,
    board,
    bytes,
    ...(name !== null && { hidden: name }),
    answer: expected,
    fileBy: file?.by ?? null,
    timeoutMs,
    delayMs,
    repeat,
  };
  if (flow === null) {
    return { ok: true, step: plain };
  }
  const prepared = flowOf(flow, expected, all, isWhole);
  if (!prepared.ok) {
    return prepared;
  }
  const step = { ...plain, flow: prepared.flow };
  if (!flow.insert || message.type === 'hex') {
    return { ok: true, step };
  }
  const lacking = referencesIn(message.content).find((reference) => !captured.has(reference));
  if (lacking !== undefined) {
    return { ok: false, reason: `no answer of this run captures {${lacking}}. For a brace write {{.` };
  }
  const end = encodeMessage({ content: '', type: 'ascii' }, ending);
  return {
    ok: true,
    step: { ...step, template: templateOf(message.content, end.ok ? end.bytes : new Uint8Array()) },
  };
}

function flowOf(
  flow: MessageFlow,
  expected: AnswerPattern | null,
  messages: readonly PinnedMessage[],
  isWhole: boolean,
): Refusable<{ readonly flow: StepFlow }> {
  const thens = [flow.otherwise, flow.spent, ...flow.answers.map(({ go }) => go)];
  for (const go of thens) {
    const fault = go.kind === 'goto' ? targetFault(go.to, messages) : null;
    if (fault !== null) {
      return { ok: false, reason: fault };
    }
  }
  // A message that is sent alone has no other message to go to: its run ends there.
  const follow = (go: Then): StepThen =>
    go.kind === 'goto' ? { kind: 'goto', step: isWhole ? targetOf(go.to, messages) : messages.length } : go;
  const patterns = flow.answers.map(({ form, content }) => patternOf(form, content));
  const first = expected === null ? [] : [{ pattern: expected, go: goOn }];
  const others = flow.answers.flatMap(({ go }, index) => {
    const pattern = patterns[index];
    return pattern === null || pattern === undefined ? [] : [{ pattern, go: follow(go) }];
  });
  const answers = [...first, ...others].map(({ pattern, go }) => ({ pattern, go: go as StepThen }));
  return {
    ok: true,
    flow: {
      waitFirst: flow.waitFirst,
      answers,
      otherwise: follow(flow.otherwise),
      tries: flow.tries,
      spent: follow(flow.spent),
    },
  };
}

function patternOf(form: AnswerForm, content: string): AnswerPattern | null {
  if (form === 'expression') {
    return parseExpressionLiteral(content);
  }
  const encoded = encodeMessage({ content, type: form === 'hex' ? 'hex' : 'ascii' }, 'none');
  return encoded.ok ? bytesPattern(encoded.bytes, form === 'hex') : null;
}

const bytesPattern = (bytes: Uint8Array, isHex: boolean): AnswerPattern => ({
  kind: 'bytes',
  bytes,
  ...(isHex && { isHex }),
});

/** Returns the index of a message by its label or its position from 1; -1 if there is none. */
function targetOf(to: string | number, messages: readonly PinnedMessage[]): number {
  return typeof to === 'number'
    ? to <= messages.length
      ? to - 1
      : -1
    : messages.findIndex(({ label }) => label === to);
}

function targetFault(to: string | number, messages: readonly PinnedMessage[]): string | null {
  if (targetOf(to, messages) === -1) {
    return typeof to === 'number'
      ? `it goes to command ${to}, and the panel has ${messages.length}.`
      : `it goes to "${to}", and no command has this label.`;
  }
  return typeof to === 'string' && messages.filter(({ label }) => label === to).length > 1
    ? `it goes to "${to}", and more than one command has this label.`
    : null;
}
