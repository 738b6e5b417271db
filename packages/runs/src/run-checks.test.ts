import type { ConversationLog, LogEntry } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { newMessage, type PinnedMessage } from './pinned-message.ts';
import { type EndedRun, hasChecks, type RunCheck, runChecks } from './run-checks.ts';
import { verdictFacts, verdictOfChecks, verdictSentence } from './run-verdict.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (content: string) => ({ content, type: 'ascii' }) as const;

/** A command that waits for an answer, or for none. */
const command = (content: string, expected: string | null, more: Partial<PinnedMessage> = {}): PinnedMessage => ({
  ...newMessage(content, text(content)),
  expect: expected === null ? null : text(expected),
  ...more,
});

const info = command('info', 'free heap');
const scan = command('i2cscan', 'BME280');

/** Entries of a conversation: `>` was sent, `<` received, `.` ends an exchange; each 10 ms later. */
const talk = (...entries: readonly string[]): ConversationLog => ({
  startedAt: 1_000,
  leftOut: 0,
  entries: entries.map((entry, index): LogEntry => {
    const at = 1_000 + 10 * index;
    const bytes = utf8(entry.slice(1));
    return entry.startsWith('>')
      ? { kind: 'sent', at, bytes, length: bytes.length }
      : entry.startsWith('<')
        ? { kind: 'received', at, bytes }
        : { kind: 'ended', at };
  }),
});

const run = (parts: Partial<EndedRun>): EndedRun => ({
  messages: [info, scan],
  end: { kind: 'done', sent: 2, answered: 2, files: 0 },
  answered: new Map([
    [0, 12],
    [1, 40],
  ]),
  rules: [],
  isLate: false,
  limit: null,
  last: null,
  ...parts,
});

const states = (checks: readonly RunCheck[]) => checks.map(({ name, state }) => `${name} ${state}`);

describe('checks of a run', () => {
  it('are the commands that wait and the rules that decide', () => {
    const messages = [info, command('beep', null), scan];
    const answered = new Map([
      [0, 12],
      [2, 40],
    ]);
    const rules = [{ name: 'No panic', after: null, fault: null }];
    const checks = runChecks(run({ messages, answered, rules }));
    expect(states(checks)).toEqual(['info passed', 'i2cscan passed', 'rule No panic passed']);
    expect(verdictOfChecks(checks)).toBe('passed');
  });

  it('name where a wait failed, what was awaited and what came last, without the prompt', () => {
    // The demo board prints these lines.
    const log = talk(
      '>info\n',
      '<free heap  300072 bytes\r\n',
      '.',
      '<late line\r\n',
      '>i2cscan\n',
      '<i2cscan\r\n2 devices: 0x3c SSD1306 display, ',
      '<0x68 DS3231 clock\r\ndemo> ',
      '.',
      '<BME280 found at last\r\n',
    );
    const [first, second] = runChecks(
      run({ end: { kind: 'no-answer', step: 1 }, answered: new Map([[0, 12]]), last: { port: 3, log, exchange: 1 } }),
    );
    expect(first?.state).toBe('passed');
    expect(second).toMatchObject({
      state: 'failed',
      fault: {
        type: 'no-answer',
        command: 'i2cscan',
        cause: 'no answer within 1000 ms',
        awaited: ['"BME280"'],
        last: '2 devices: 0x3c SSD1306 display, 0x68 DS3231 clock',
        message:
          'no answer to "i2cscan" within 1000 ms: awaited "BME280"; last came 2 devices: 0x3c SSD1306 display, 0x68 DS3231 clock',
      },
    });
    expect(second?.fault?.came).toEqual([
      { at: 10, text: 'i2cscan' },
      { at: 10, text: '2 devices: 0x3c SSD1306 display, 0x68 DS3231 clock' },
      { at: 20, text: 'demo> ' },
    ]);
  });

  it('show a line that only looks like a prompt, because it has an end', () => {
    const log = talk('>i2cscan\n', '<scanning\r\nnone>\r\n', '.');
    const end = { kind: 'no-answer', step: 1 } as const;
    const [, scanned] = runChecks(run({ end, answered: new Map(), last: { port: 1, log, exchange: 0 } }));
    expect(scanned?.fault?.last).toBe('none>');
  });

  it('say that nothing came if nothing came after the command, although there was something before it', () => {
    const log = talk('>info\n', '<free heap\n', '.', '<I (12) idle\n', '>i2cscan\n', '.');
    const end = { kind: 'no-answer', step: 1 } as const;
    const [, scanned] = runChecks(run({ end, answered: new Map([[0, 1]]), last: { port: 1, log, exchange: 1 } }));
    expect(scanned?.fault).toMatchObject({ last: null, came: [] });
    expect(scanned?.fault?.message).toMatch(/; nothing came$/);
  });

  it('read what came up to a close that ended the exchange without an outcome', () => {
    const log = talk('>info\n', '<free heap\n', '.', '>i2cscan\n', '<scann');
    const end = { kind: 'closed', step: 1 } as const;
    const [, scanned] = runChecks(run({ end, answered: new Map([[0, 1]]), last: { port: 2, log, exchange: 1 } }));
    expect(scanned).toMatchObject({
      state: 'error',
      fault: { cause: 'Port 2 was closed before it was answered', last: 'scann' },
    });
  });

  it('leave out the answer that came before a file that was not sent', () => {
    const end = { kind: 'file-failed', step: 1 } as const;
    const [, scanned] = runChecks(run({ end }));
    expect(scanned?.fault).toMatchObject({
      awaited: [],
      last: null,
      message: 'the file after "i2cscan" was not sent whole',
    });
  });

  it('add the command at which the run ended if it waits for nothing', () => {
    const messages = [info, command('ver {1}', null)];
    const end = { kind: 'not-captured', step: 1, reference: '1' } as const;
    expect(states(runChecks(run({ messages, end })))).toEqual(['info passed', 'ver {1} failed']);
  });

  it('count as skipped if they were not reached', () => {
    const end = { kind: 'no-answer', step: 0 } as const;
    expect(states(runChecks(run({ end, answered: new Map() })))).toEqual(['info failed', 'i2cscan skipped']);
  });

  it('fail at the first command without an answer when the longest time is over', () => {
    const late = run({ end: { kind: 'cancelled' }, answered: new Map([[0, 5]]), isLate: true, limit: 3_000 });
    const checks = runChecks(late);
    expect(states(checks)).toEqual(['info passed', 'i2cscan failed']);
    expect(checks[1]?.fault?.cause).toBe('not done within 3 s');
  });

  it('never pass when nothing was decided', () => {
    const checks = runChecks(run({ answered: new Map() }));
    expect(states(checks)).toEqual(['info skipped', 'i2cscan skipped', 'test failed']);
    expect(verdictOfChecks(checks)).toBe('failed');
    expect(verdictOfChecks([])).toBe('failed');
  });

  it('are there if a command waits or a rule decides', () => {
    const beep = command('beep', null);
    expect([hasChecks([beep], []), hasChecks([beep, info], []), hasChecks([], [{}])]).toEqual([false, true, true]);
  });
});

describe('words of a verdict', () => {
  const checks = (passed: number, failed: number, skipped = 0) =>
    (['passed', 'failed', 'skipped'] as const).flatMap((state, index) =>
      Array.from({ length: [passed, failed, skipped][index] ?? 0 }, () => ({ state })),
    );

  it('count the checks on all boards and say the time', () => {
    const facts = { sent: 8, duration: 130 };
    expect(verdictSentence({ ...facts, kind: 'passed', checks: checks(8, 0) })).toBe('PASSED, 8 of 8 checks · 0.13 s');
    expect(verdictFacts({ ...facts, kind: 'failed', checks: checks(7, 1), duration: 1_120 })).toBe(
      '7 of 8 checks · 1.12 s',
    );
  });

  it('say how many checks of a stopped run were decided', () => {
    const facts = { kind: 'stopped', sent: 3, duration: 400 } as const;
    expect(verdictSentence({ ...facts, checks: checks(2, 1, 5) })).toBe('STOPPED after 3 of 8 checks · 0.40 s');
    expect(verdictSentence({ ...facts, checks: [] })).toBe('STOPPED after 3 commands · 0.40 s');
  });

  it('claim no pass for a panel without checks', () => {
    expect(verdictSentence({ kind: 'unchecked', checks: [], sent: 2, duration: 20 })).toBe(
      'NO CHECKS, 2 commands sent · 0.02 s',
    );
  });
});
