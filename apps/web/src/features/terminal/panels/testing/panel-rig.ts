/** Rig for component tests of panels: a bench that records calls and returns the outcomes set by the test. */

import { act } from '@testing-library/react';
import type { AnswerPattern, Exchange, ExchangeOutcome, LogEntry, PortNumber, PortState } from '@wirebench/serial';
import { vi } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
// Preloads modules that the page imports lazily, so that no test waits for them.
import '../../../../shared/ui/dialog-popup.tsx';
import '../../../../shared/ui/menu-popup.tsx';
import '../message-form.tsx';
import { type MessageText, newMessage, type PinnedMessage, type RuleVerdict } from '@wirebench/runs';
import type { TransferResult } from '../../../../protocol/bench/job-part.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { newPanel } from '../model/device-panel.ts';
import { changePanels } from '../store/panels-store.ts';

type Outcome = Partial<ExchangeOutcome> & Pick<ExchangeOutcome, 'kind'>;
/** Outcomes of the next exchanges that wait. Default: the first answer arrives at once. */
export const outcomes: (Outcome | Promise<Outcome>)[] = [];
/** Ports of the open conversations. */
const conversations = new Map<unknown, unknown>();
/** Everything that passed in each conversation. */
const logs = new Map<unknown, LogEntry[]>();
/** Outcomes of the next exchanges that wait on one port. They come before `outcomes`. */
export const outcomesOn = new Map<PortNumber, (Outcome | Promise<Outcome>)[]>();

async function exchange(conversation: unknown, given: Exchange): Promise<unknown> {
  const { bytes } = given;
  const log = logs.get(conversation) ?? [];
  logs.set(conversation, log);
  if (bytes !== null) {
    log.push({ kind: 'sent', at: 0, bytes, length: bytes.length });
  }
  const outcome = await outcomeOf(conversations.get(conversation) as PortNumber, given);
  log.push({ kind: 'ended', at: 0 });
  return outcome;
}

async function outcomeOf(port: PortNumber, { answers }: Exchange): Promise<unknown> {
  const at = 0;
  if (answers.length === 0) {
    return { kind: 'sent', at };
  }
  const usual = { answer: 0, after: 12, taken: 0, text: new Uint8Array(), groups: [], names: [], at };
  const next = outcomesOn.get(port)?.shift() ?? outcomes.shift();
  return { ...usual, ...((await next) ?? { kind: 'answered' }) };
}

/** A board that sends a text now, in its open conversation. */
export function boardSends(port: PortNumber, text: string): void {
  const [conversation] = [...conversations].findLast(([, own]) => own === port) ?? [];
  logs.get(conversation)?.push({ kind: 'received', at: 5, bytes: new TextEncoder().encode(text) });
}

/** Rules of the next run: their verdicts, and the promise that ends the run. */
export const checks = {
  verdicts: [] as readonly RuleVerdict[],
  broken: Promise.withResolvers<void>(),
};
/** Results of the next transfers of files. */
export const transfers: TransferResult[] = [];
/** Active repetitions by ticket. */
const repeats = new Map<number, { readonly end: () => void; count: number }>();
/** Promises that end the next pauses. Default: a pause ends at once. */
export const pauses: Promise<void>[] = [];

export const call = fakeBench(async (name, ...args) => {
  switch (name) {
    case 'openConversation':
      conversations.set(args[1], args[0]);
      return undefined;
    case 'exchange':
      return exchange(args[0], args[1] as Exchange);
    case 'closeConversation':
      return { startedAt: 0, entries: logs.get(args[0]) ?? [], leftOut: 0 };
    case 'brokenChecks':
      return checks.broken.promise;
    case 'closeChecks':
      return checks.verdicts;
    case 'transferTo':
      return transfers.shift();
    case 'pause':
      return pauses.shift();
    case 'repeat': {
      const { promise, resolve } = Promise.withResolvers<void>();
      repeats.set(Number(args[3]), { end: resolve, count: 0 });
      return promise;
    }
    case 'endWait':
      repeats.get(Number(args[0]))?.end();
      repeats.delete(Number(args[0]));
      return undefined;
    default:
      return undefined;
  }
});

const text = (bytes: unknown) => new TextDecoder().decode(bytes as Uint8Array);

/** Adds one sending to each repetition. */
export function beat(): void {
  for (const repeat of repeats.values()) {
    repeat.count++;
  }
  const counts = [...repeats].map(([ticket, { count }]) => [ticket, count]);
  act(() => benchStatus.accept({ ...benchStatus.tick, repeats: Object.fromEntries(counts) }));
}

const words = (pattern: AnswerPattern) =>
  pattern.kind === 'bytes' ? text(pattern.bytes) : pattern.kind === 'prompt' ? pattern.prompt : `/${pattern.source}/`;

/** Returns everything sent: port and text, and the awaited answers. Null for a wait that sends nothing. */
export const sent = (): unknown[][] =>
  call.mock.calls.flatMap(([name, ...args]) => {
    if (name === 'send') {
      return [[args[0], text(args[1])]];
    }
    if (name !== 'exchange') {
      return [];
    }
    const { bytes, answers } = args[1] as Exchange;
    return [[conversations.get(args[0]), bytes && text(bytes), ...answers.map(words)]];
  });

/** Returns the notices on the timeline: level and text. */
export const notices = (): unknown[][] =>
  call.mock.calls.filter(([name]) => name === 'notice').map(([, level, words]) => [level, words]);

export function setPortState(port: PortNumber, state: PortState): void {
  const { tick } = benchStatus;
  const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], state } };
  act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
}

/** Times of the log that were to be shown. */
export const showTime = vi.fn<(at: number) => void>();

export const ascii = (content: string): MessageText => ({ content, type: 'ascii' });

export type TestMessage = MessageText & Partial<PinnedMessage>;

/**
 * Resets the stores to one panel named 'Panel 1' with these messages. Its target is port 1, the only connected port.
 */
export function onePanel(...messages: TestMessage[]): void {
  call.mockClear();
  outcomes.length = 0;
  pauses.length = 0;
  outcomesOn.clear();
  checks.broken = Promise.withResolvers();
  for (const port of [1, 2, 3, 4] as const) {
    setPortState(port, port === 1 ? 'connected' : 'disconnected');
  }
  resetStores();
  changePanels({
    panels: [
      {
        ...newPanel('a', 'Panel 1'),
        pinnedTargetPort: 1,
        pinnedMessages: messages.map((message, index) => ({ ...newMessage(`a${index}`, message), ...message })),
      },
    ],
  });
}
