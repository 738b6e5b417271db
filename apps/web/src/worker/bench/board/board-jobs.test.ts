import { VirtualClock } from '@wirebench/clock';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import type { BoardAnswer, BoardJob } from '../../../protocol/bench/board-files-part.ts';
import { BoardJobs } from './board-jobs.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const never = () => new AbortController().signal;

describe('jobs on the genuine interpreter behind a port', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let jobs: BoardJobs;

  const begin = async (files: Readonly<Record<string, string>>) => {
    clock = new VirtualClock(1_000_000);
    bench = new Bench({
      clock,
      ringBytes: 64 * 1_024,
      onReceived: (port, bytes) => jobs.received(port, bytes),
    });
    jobs = new BoardJobs({
      bench,
      clock,
      onProgress: () => undefined,
      onOutput: (port, bytes) => bench.record(port, 'received', bytes),
    });
    const board = await MicroPythonBoard.load({ files });
    const port = new FakeSerialPort();
    port.onWrite = (bytes) => board.receive(bytes);
    await bench.connect(1, port, defaultPortSettings);
    board.attach({
      clock,
      pending: 0,
      write: (bytes) => port.receive(bytes),
      sendBreak: () => undefined,
      setInputs: () => undefined,
    });
    await clock.settle();
    return board;
  };
  const run = async (job: BoardJob, mayInterrupt = false): Promise<BoardAnswer> => {
    let answer: BoardAnswer | null = null;
    const done = jobs.run(1, job, mayInterrupt, never()).then((given) => {
      answer = given;
    });
    await expect
      .poll(async () => {
        await clock.advance(100);
        return answer;
      })
      .not.toBeNull();
    await done;
    return answer as unknown as BoardAnswer;
  };
  const log = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 100 })
      .rows.map((row) => new TextDecoder().decode(row.bytes));

  it('notices the banner, writes a file and says so in one line of the log', async () => {
    const board = await begin({ '/old.py': 'print(1)' });
    expect(jobs.progress.boards[1].banner).toMatch(/^MicroPython v1\.27\.0/);
    const before = log();
    const files = [{ path: '/lib/new.py', content: utf8('print(2)') }];
    const answer = await run({ kind: 'write', files, folders: [] });
    expect(answer).toMatchObject({ written: ['/lib/new.py'], failure: null });
    expect(answer.tree?.entries.map(({ path }) => path)).toEqual(['/lib', '/lib/new.py', '/old.py']);
    expect(board.files.get('/lib/new.py')).toEqual(utf8('print(2)'));
    expect(log()).toEqual([...before, 'Wrote /lib/new.py to the board on Port 1: 8 bytes, verified.']);
    expect(bench.jobs.isTransferring(1)).toBe(false);
  });

  it('writes over no file that is another one than expected', async () => {
    const board = await begin({ '/a.py': 'a = 1', '/b.py': 'b = 2', '/c.py': 'c = 1' });
    const { hashes } = await run({ kind: 'hash', paths: ['/a.py', '/b.py'] });
    board.put('/b.py', 'typed on the board');
    const files = ['/a.py', '/b.py', '/c.py', '/d.py'].map((path) => ({ path, content: utf8('new') }));
    const answer = await run({ kind: 'write', files, folders: [], expected: hashes });
    expect(answer).toMatchObject({ written: ['/a.py', '/d.py'], changed: ['/b.py', '/c.py'], failure: null });
    expect(board.files.get('/b.py')).toEqual(utf8('typed on the board'));
    const again = await run({ kind: 'write', files: files.slice(0, 2), folders: [], expected: answer.hashes });
    expect(again).toMatchObject({ written: [], changed: ['/b.py'] });
    expect(log().at(-1)).toBe('Nothing was written to the board on Port 1: /b.py was changed there.');
  });

  it('runs code with its output in the log', async () => {
    await begin({});
    const answer = await run({ kind: 'run', name: 'a.py', code: utf8("print('hello', 6 * 7)") });
    expect(answer.failure).toBeNull();
    // On a line of its own, not behind the prompt.
    expect(log().slice(-4)).toEqual(['>>> ', 'hello 42', 'a.py has ended on Port 1.', '>>> ']);
    expect(jobs.progress.boards[1].isAtPrompt).toBe(true);
  });

  it('shows the prompt again behind output without a newline, and takes a typed line there', async () => {
    await begin({});
    await run({ kind: 'run', name: 'a.py', code: utf8("print('no end', end='')") });
    expect(log().slice(-3)).toEqual(['no end', 'a.py has ended on Port 1.', '>>> ']);
    await bench.send(1, utf8('1 + 1\r'));
    await clock.advance(100);
    expect(log().slice(-2)).toEqual(['2', '>>> ']);
  });

  it('shows the prompt of a board whose program was interrupted for the files', async () => {
    await begin({ '/main.py': "while True:\n  print('tick')\n" });
    expect(jobs.progress.boards[1].isAtPrompt).toBe(false);
    await run({ kind: 'list' }, true);
    expect(log().at(-1)).toBe('>>> ');
    expect(jobs.progress.boards[1].isAtPrompt).toBe(true);
  });

  it('stops code that runs, without a failure', async () => {
    const board = await begin({});
    board.waitForInterrupt(2);
    const running = run({ kind: 'run', name: 'loop.py', code: utf8("while True:\n  print('tick')\n") });
    await expect.poll(() => log().filter((line) => line === 'tick')).toHaveLength(2);
    await jobs.stop(1);
    expect((await running).failure).toBeNull();
    expect(log().join('\n')).toContain('KeyboardInterrupt');
  });

  it('lets a typed line reach the program that runs', async () => {
    const board = await begin({});
    board.detach();
    const port = new FakeSerialPort();
    let taken = '';
    const answers: readonly (readonly [string, string])[] = [
      ['\x01', 'raw REPL; CTRL-B to exit\r\n>'],
      ['\x05A\x01', 'R\0'],
      ['input()\x04', 'OKName? '],
      ['Ada\r', 'Hello Ada\r\n\x04\x04>'],
      ['\x02', '\r\nMicroPython v1.27.0\r\n>>> '],
    ];
    let at = 0;
    port.onWrite = (bytes) => {
      taken += new TextDecoder().decode(bytes);
      const [asked, answer] = answers[at] ?? ['', ''];
      if (asked !== '' && taken === asked) {
        taken = '';
        at++;
        port.receive(utf8(answer));
      }
    };
    await bench.disconnect(1);
    await bench.connect(1, port, defaultPortSettings);
    const running = run({ kind: 'run', name: 'ask.py', code: utf8('input()') });
    await expect.poll(() => log().join('\n')).toContain('Name? ');
    await bench.send(1, utf8('Ada\r'));
    expect((await running).failure).toBeNull();
    expect(log().join('\n')).toContain('Hello Ada');
    expect(at).toBe(answers.length);
    expect(bench.jobs.isTransferring(1)).toBe(false);
  });

  it('interrupts a program only with leave, and starts it again with a soft reset', async () => {
    await begin({ '/main.py': "while True:\n  print('tick')\n" });
    expect((await run({ kind: 'list' })).failure?.code).toBe('busy');
    expect(jobs.progress.boards[1].isStopped).toBe(false);
    expect((await run({ kind: 'list' }, true)).tree?.entries).toHaveLength(1);
    expect(jobs.progress.boards[1].isStopped).toBe(true);
    expect((await run({ kind: 'soft-reset' })).failure).toBeNull();
    expect(jobs.progress.boards[1].isStopped).toBe(false);
    expect((await run({ kind: 'list' })).failure?.code).toBe('busy');
  });
});
