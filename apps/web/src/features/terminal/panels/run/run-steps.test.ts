import { VirtualClock } from '@wirebench/clock';
import type { AnswerOutcome } from '@wirebench/serial';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FilePort, type RunEnd, type RunPort, type RunStep, runSteps } from './run-steps.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (sent: Uint8Array) => new TextDecoder().decode(sent);
const step = (what: string, change: Partial<RunStep> = {}): RunStep => ({
  messageId: what,
  bytes: bytes(what),
  answer: null,
  fileBy: null,
  timeoutMs: 1_000,
  delayMs: 0,
  repeat: 1,
  ...change,
});

describe('a run', () => {
  let clock: VirtualClock;
  let log: string[];
  let outcomes: Record<string, AnswerOutcome>;
  let abort: AbortController;
  /** Messages whose file the board does not take. */
  let refused: string[];
  beforeEach(() => {
    clock = new VirtualClock();
    log = [];
    outcomes = {};
    refused = [];
    abort = new AbortController();
  });

  const port: RunPort & FilePort = {
    async send(sent) {
      log.push(`${clock.now()} ${text(sent)}`);
    },
    async ask(sent, answer, timeout, signal) {
      log.push(
        `${clock.now()} ${text(sent)} → ${answer instanceof Uint8Array ? text(answer) : answer.prompt} within ${timeout}`,
      );
      const outcome = outcomes[text(sent)] ?? { kind: 'answered', after: 20 };
      await port.pause(outcome.kind === 'answered' ? outcome.after : timeout, signal);
      return signal.aborted ? { kind: 'cancelled' } : outcome;
    },
    pause: (duration, signal) => clock.sleep(duration, signal).catch(() => undefined),
    async sendFile(messageId, by, signal) {
      log.push(`${clock.now()} file of ${messageId} by ${by}`);
      await port.pause(500, signal);
      return !refused.includes(messageId);
    },
  };
  const events = {
    begun: (place: number) => log.push(`begun ${place}`),
    result: (place: number, { kind }: { kind: string }) => log.push(`${kind} ${place}`),
  };
  const run = (...steps: RunStep[]) => runSteps(steps, port, abort.signal, events);
  const sent = () => log.filter((line) => /^\d/.test(line));
  const ended = async (running: Promise<RunEnd>, duration = 100_000) => {
    await clock.advance(duration);
    return running;
  };

  it('sends one message after the other', async () => {
    expect(await ended(run(step('a'), step('b')))).toEqual({ kind: 'done', sent: 2, answered: 0, files: 0 });
    expect(log).toEqual(['begun 0', '0 a', 'sent 0', 'begun 1', '0 b', 'sent 1']);
  });

  it('waits for an answer before the next message', async () => {
    const running = run(step('a', { answer: bytes('OK'), timeoutMs: 300 }), step('b'));
    expect(await ended(running)).toEqual({ kind: 'done', sent: 2, answered: 1, files: 0 });
    expect(log).toEqual(['begun 0', '0 a → OK within 300', 'answered 0', 'begun 1', '20 b', 'sent 1']);
  });

  it('pauses after a message and after its repetitions, but not at the end', async () => {
    const running = run(step('a', { delayMs: 100, repeat: 3 }), step('b', { delayMs: 5_000 }));
    let over = false;
    void running.then(() => {
      over = true;
    });
    await clock.advance(300);
    expect(over).toBe(true);
    expect(sent()).toEqual(['0 a', '100 a', '200 a', '300 b']);
  });

  it('counts the pause from the answer', async () => {
    await ended(run(step('a', { answer: bytes('OK'), delayMs: 100 }), step('b')));
    expect(sent().at(-1)).toBe('120 b');
  });

  it.each(['no-answer', 'closed'] as const)('ends where it had %s, and sends no more', async (kind) => {
    outcomes['b'] = { kind };
    const running = run(step('a'), step('b', { answer: bytes('OK') }), step('c'));
    expect(await ended(running)).toEqual({ kind, step: 1 });
    expect(log.at(-1)).toBe(`${kind} 1`);
    expect(sent()).toHaveLength(2);
  });

  it('ends at once when it is stopped, in a pause as in a wait', async () => {
    for (const first of [step('a', { delayMs: 60_000 }), step('a', { answer: bytes('OK'), timeoutMs: 60_000 })]) {
      abort = new AbortController();
      log = [];
      outcomes['a'] = { kind: 'no-answer' };
      const running = run(first, step('b'));
      await clock.advance(10);
      abort.abort();
      expect(await ended(running, 1)).toEqual({ kind: 'cancelled' });
      expect(sent()).toHaveLength(1);
    }
  });

  it('sends the file of a message after its answer, and goes on when it is there', async () => {
    const running = run(step('loady', { answer: bytes('Ready'), fileBy: 'ymodem', delayMs: 100 }), step('go'));
    expect(await ended(running)).toEqual({ kind: 'done', sent: 2, answered: 1, files: 1 });
    expect(sent()).toEqual(['0 loady → Ready within 1000', '20 file of loady by ymodem', '620 go']);
    expect(log).toContain('file-sent 0');
  });

  it('ends where a file was not sent whole, and sends no more', async () => {
    refused = ['b'];
    const running = run(step('a'), step('b', { fileBy: 'raw' }), step('c'));
    expect(await ended(running)).toEqual({ kind: 'file-failed', step: 1 });
    expect(log.at(-1)).toBe('file-failed 1');
  });

  it('ends at once when it is stopped while a file is sent', async () => {
    const running = run(step('a', { fileBy: 'zmodem' }), step('b'));
    await clock.advance(10);
    abort.abort();
    expect(await ended(running, 1)).toEqual({ kind: 'cancelled' });
  });

  it('rejects with what the port says', async () => {
    const failing = { ...port, send: () => Promise.reject(new Error('Port 1 is not connected')) };
    await expect(runSteps([step('a')], failing, abort.signal, events)).rejects.toThrow('Port 1 is not connected');
  });

  it('sends as often as the steps say, whatever they say', async () => {
    const steps = fc.array(fc.record({ repeat: fc.integer({ min: 1, max: 5 }), delayMs: fc.nat({ max: 50 }) }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        clock = new VirtualClock();
        log = [];
        const end = await ended(run(...given.map((change, index) => step(`${index}`, change))));
        const all = given.flatMap(({ repeat, delayMs }) => Array.from({ length: repeat }, () => delayMs));
        expect(end).toEqual({ kind: 'done', sent: all.length, answered: 0, files: 0 });
        const pauses = all.slice(0, -1).reduce((sum, delay) => sum + delay, 0);
        expect(sent().at(-1)?.split(' ')[0] ?? '0').toBe(`${pauses}`);
      }),
    );
  });
});
