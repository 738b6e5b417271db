/** Sentences about the exchanges of a run, for its transcript and its live line. */
import type { ExchangeOutcome } from '@wirebench/serial';
import { answerText } from './message-flow.ts';
import { type PinnedMessage, shownContent } from './pinned-message.ts';
import { quoted } from './quoted.ts';
import type { StepThen } from './run-steps.ts';
import { visibleText } from './visible-text.ts';

export interface NotedExchange {
  readonly message: PinnedMessage | undefined;
  /** Index of the message in the run. */
  readonly step: number;
  readonly attempt: number;
  readonly messages: readonly PinnedMessage[];
  readonly outcome: ExchangeOutcome;
  readonly go: StepThen | null;
}

/**
 * Returns a sentence such as `command 2 of 3 "AT", try 2: answer "OK" after 12 ms, {1} = 42, goes on`, and the answer as
 * text, or null without one.
 */
export function exchangeNote(noted: NotedExchange): { readonly note: string; readonly answer: string | null } {
  const { message, step, attempt, messages, outcome, go } = noted;
  const tries = attempt > 1 ? `, try ${attempt}` : '';
  const name = message === undefined ? '' : ` ${quoted(message)}`;
  const where = `command ${step + 1} of ${messages.length}${name}${tries}`;
  const answer = outcome.kind === 'answered' && message !== undefined ? answerOf(message, outcome.answer) : null;
  const onward = go === null ? '' : `, ${thenText(go, messages)}`;
  return { note: `${where}: ${happened(outcome, answer, message?.timeoutMs ?? 0)}${onward}`, answer };
}

/** Returns the answer with this index as text: `expect` comes first, if the message has it. */
export function answerOf({ expect, flow }: Pick<PinnedMessage, 'expect' | 'flow'>, index: number): string {
  const answer = flow?.answers[expect === null ? index : index - 1];
  if (index === 0 && expect !== null) {
    return expect.type === 'hex' ? shownContent(expect) : visibleQuoted(expect.content);
  }
  return answer === undefined ? '' : answer.form === 'text' ? visibleQuoted(answer.content) : answerText(answer);
}

const visibleQuoted = (content: string) => `"${visibleText(new TextEncoder().encode(content))}"`;

function happened(outcome: ExchangeOutcome, answer: string | null, timeoutMs: number): string {
  switch (outcome.kind) {
    case 'answered': {
      const captured = outcome.groups.flatMap((value, number) =>
        number === 0
          ? []
          : [`{${outcome.names[number] ?? number}} = ${value === null ? 'nothing' : visibleText(value)}`],
      );
      return [`answer ${answer} after ${Math.round(outcome.after)} ms`, ...captured].join(', ');
    }
    case 'no-answer':
      return `no answer within ${timeoutMs} ms`;
    case 'closed':
      return 'the port was closed';
    case 'cancelled':
      return 'stopped';
    case 'sent':
      return 'sent';
  }
}

function thenText(go: StepThen, messages: readonly PinnedMessage[]): string {
  switch (go.kind) {
    case 'next':
      return 'goes on';
    case 'again':
      return 'again';
    case 'goto':
      return messages[go.step] === undefined ? 'ends' : `goes to command ${go.step + 1}`;
    case 'stop':
      return go.passed ? 'stops, passed' : 'stops, failed';
  }
}
