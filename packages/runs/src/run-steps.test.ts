import { VirtualClock } from '@wirebench/clock';
import type { AnswerPattern, ExchangeOutcome } from '@wirebench/serial';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { templateOf } from './captures.ts';
import {
  type FilePort,
  type RunEnd,
  type RunPort,
  type RunStep,
  runSteps,
  type StepFlow,
  type StepThen,
} from './run-steps.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (sent: Uint8Array) => new TextDecoder().decode(sent);
const awaits = (words: string): AnswerPattern => ({ kind: 'bytes', bytes: bytes(words) });
const shown = (pattern: AnswerPattern) =>
  pattern.kind === 'bytes' ? text(pattern.bytes) : pattern.kind === 'prompt' ? pattern.prompt : `/${pattern.source}/`;

/** An outcome; times, groups and text of an answer have usual values. */
type Outcome = Partial<Extract<ExchangeOutcome, { kind: 'answered' }>> | { readonly kind: 'no-answer' | 'closed' };

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
  /** Outcomes of the exchanges that wait, by what they send; the last one of a list repeats. */
  let outcomes: Record<string, Outcome | readonly Outcome[]>;
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
    async exchange({ bytes: sent, answers, timeout }, signal) {
      const what = sent === null ? 'nothing' : text(sent);
      const waits = answers.length === 0 ? '' : ` → ${answers.map(shown).join(' | ')} within ${timeout}`;
      log.push(`${clock.now()} ${what}${waits}`);
      if (answers.length === 0) {
        return { kind: 'sent', at: clock.now() };
      }
      const given = outcomes[what] ?? {};
      const [first = {}, ...later] = Array.isArray(given) ? given : [given];
      outcomes[what] = later.length === 0 ? first : later;
      const usual = {
        kind: 'answered',
        after: 20,
        answer: 0,
        taken: 0,
        text: bytes(''),
        groups: [],
        names: [],
      } as const;
      const outcome = { ...usual, ...first };
      await port.pause(outcome.kind === 'answered' ? outcome.after : timeout, signal);
      const at = clock.now();
      return signal.aborted ? { kind: 'cancelled', at } : ({ ...outcome, at } as ExchangeOutcome);
    },
    pause: (duration, signal) => clock.sleep(duration, signal).catch(() => undefined),
    async sendFile(messageId, by, signal) {
      log.push(`${clock.now()} file of ${messageId} by ${by}`);
      await port.pause(500, signal);
      return !refused.includes(messageId);
    },
  };
  const events = {
    begun: (place: number, attempt: number) => log.push(`begun ${place}${attempt > 1 ? ` try ${attempt}` : ''}`),
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
    const running = run(step('a', { answer: awaits('OK'), timeoutMs: 300 }), step('b'));
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
    await ended(run(step('a', { answer: awaits('OK'), delayMs: 100 }), step('b')));
    expect(sent().at(-1)).toBe('120 b');
  });

  it.each(['no-answer', 'closed'] as const)('ends where it had %s, and sends no more', async (kind) => {
    outcomes['b'] = { kind };
    const running = run(step('a'), step('b', { answer: awaits('OK') }), step('c'));
    expect(await ended(running)).toEqual({ kind, step: 1 });
    expect(log.at(-1)).toBe(`${kind} 1`);
    expect(sent()).toHaveLength(2);
  });

  it('ends at once when it is stopped, in a pause as in a wait', async () => {
    for (const first of [step('a', { delayMs: 60_000 }), step('a', { answer: awaits('OK'), timeoutMs: 60_000 })]) {
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
    const running = run(step('loady', { answer: awaits('Ready'), fileBy: 'ymodem', delayMs: 100 }), step('go'));
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
    const failing = { ...port, exchange: () => Promise.reject(new Error('Port 1 is not connected')) };
    await expect(runSteps([step('a')], failing, abort.signal, events)).rejects.toThrow('Port 1 is not connected');
  });

  describe('with branches', () => {
    const next = { kind: 'next' } as const;
    const again = { kind: 'again' } as const;
    const to = (place: number) => ({ kind: 'goto', step: place }) as const;
    const stop = (passed: boolean, say = '') => ({ kind: 'stop', passed, say }) as const;
    const branch = (answers: readonly (readonly [string, StepThen])[], more: Partial<StepFlow> = {}): StepFlow => ({
      waitFirst: false,
      answers: answers.map(([words, go]) => ({ pattern: awaits(words), go })),
      otherwise: stop(false),
      tries: 10,
      spent: stop(false),
      ...more,
    });

    it('waits for several answers and goes where the one that came leads', async () => {
      outcomes = { a: { answer: 1 }, c: { answer: 1 } };
      const flow = branch([
        ['OK', next],
        ['ERROR', to(2)],
      ]);
      const end = await ended(
        run(
          step('a', { flow }),
          step('b'),
          step('c', {
            flow: branch([
              ['x', next],
              ['y', stop(true, 'Ready')],
            ]),
          }),
          step('d'),
        ),
      );
      expect(end).toEqual({ kind: 'stopped', step: 2, passed: true, say: 'Ready', answer: 1 });
      expect(sent()).toEqual(['0 a → OK | ERROR within 1000', '20 c → x | y within 1000']);
    });

    it('sends again until an answer goes on, with the pause in between', async () => {
      outcomes = { status: [{ answer: 1 }, { answer: 1 }, { answer: 0 }] };
      const flow = branch([
        ['ready', next],
        ['busy', again],
      ]);
      const end = await ended(run(step('status', { flow, delayMs: 100 }), step('go')));
      expect(end).toEqual({ kind: 'done', sent: 4, answered: 3, files: 0 });
      expect(sent().map((line) => line.split(' →')[0])).toEqual(['0 status', '120 status', '240 status', '360 go']);
      expect(log.filter((line) => line.startsWith('begun'))).toEqual([
        'begun 0',
        'begun 0 try 2',
        'begun 0 try 3',
        'begun 1',
      ]);
    });

    it('has an end of its tries, and a branch for it', async () => {
      outcomes = { status: { kind: 'no-answer' } };
      const flow = branch([['ready', next]], { otherwise: again, tries: 3 });
      expect(await ended(run(step('status', { flow })))).toEqual({ kind: 'spent', step: 0, attempts: 3 });
      expect(sent()).toHaveLength(3);
      log = [];
      const saved = { ...flow, spent: to(1) };
      expect(await ended(run(step('status', { flow: saved }), step('reset')))).toMatchObject({ kind: 'done', sent: 4 });
      expect(sent().map((line) => line.split(' ')[1])).toEqual(['status', 'status', 'status', 'reset']);
    });

    it('takes the branch for no answer, and stops with its sentence', async () => {
      outcomes = { a: { kind: 'no-answer' } };
      const goesOn = branch([['OK', next]], { otherwise: next });
      expect(await ended(run(step('a', { flow: goesOn }), step('b')))).toMatchObject({ kind: 'done', sent: 2 });
      const says = branch([['OK', next]], { otherwise: stop(false, 'No modem') });
      const end = await ended(run(step('a', { flow: says }), step('b')));
      expect(end).toEqual({ kind: 'stopped', step: 0, passed: false, say: 'No modem', answer: null });
      expect(await ended(run(step('a', { flow: branch([['OK', next]]) })))).toEqual({ kind: 'no-answer', step: 0 });
    });

    it('repeats a message as often as it says, each with its answer', async () => {
      const end = await ended(run(step('a', { flow: branch([['OK', next]]), repeat: 3 })));
      expect(end).toEqual({ kind: 'done', sent: 3, answered: 3, files: 0 });
    });

    it('waits first and then sends, with what the answer captured', async () => {
      outcomes = { nothing: { groups: [bytes('seed 4711'), bytes('4711')], names: [null, 'seed'] } };
      const flow = branch([['seed', next]], { waitFirst: true });
      const template = templateOf('unlock {1} {seed}', bytes('\n'));
      const end = await ended(run(step('unlock', { flow, template }), step('b', { flow: branch([]), template })));
      expect(end).toEqual({ kind: 'done', sent: 2, answered: 1, files: 0 });
      expect(sent()).toEqual(['0 nothing → seed within 1000', '20 unlock 4711 4711\n', '20 unlock 4711 4711\n']);
    });

    it('ends where captured text is missing, and sends nothing then', async () => {
      const template = templateOf('unlock {1}', bytes('\n'));
      const end = await ended(run(step('a'), step('unlock', { flow: branch([]), template })));
      expect(end).toEqual({ kind: 'not-captured', step: 1, reference: '1' });
      expect(sent()).toEqual(['0 a']);
    });

    it('never goes round forever, and is stopped in between', async () => {
      const flow = branch([['OK', to(0)]]);
      const at = 0;
      const found = {
        kind: 'answered',
        answer: 0,
        after: 0,
        taken: 2,
        text: bytes('OK'),
        groups: [],
        names: [],
        at,
      } as const;
      const hasty = { ...port, exchange: async () => found };
      const end = await runSteps([step('a', { flow })], hasty, abort.signal, {
        begun: () => undefined,
        result: () => undefined,
      });
      expect(end).toEqual({ kind: 'too-many-jumps', step: 0 });
      outcomes = { a: { after: 10 } };
      const running = run(step('a', { flow }));
      await clock.advance(50);
      abort.abort();
      expect(await ended(running, 1)).toEqual({ kind: 'cancelled' });
    });
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
