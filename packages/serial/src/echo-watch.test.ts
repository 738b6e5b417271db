import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_ECHOES } from './echo-watch.ts';
import { utf8 } from './testing/line-channels.ts';
import { connected, type TestRig, testRig } from './testing/test-rig.ts';

const decoder = new TextDecoder();
const all = { layout: 'text', anchor: { position: 0 }, count: 10_000 } as const;
const everything = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 99, part: 0 } } as const;

describe('echoes of sent lines', () => {
  let test: TestRig;
  beforeEach(() => {
    test = testRig();
  });
  const receive = (text: string, port: 1 | 2 = 1) => test.bench.record(port, 'received', utf8(text));
  const send = (text: string, port: 1 | 2 = 1) => test.bench.record(port, 'sent', utf8(text));
  const text = (chunks: Iterable<string | Uint8Array>) =>
    [...chunks].map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('');
  /** Rows as texts. A row that stands for two lines has `|` between the prompt and the command. */
  const rows = (query = {}) =>
    test.bench.rows({ ...all, joinsEchoes: true, ...query }).rows.map(({ bytes, echo, direction }) => {
      const shown = decoder.decode(bytes);
      const joined = echo === undefined ? shown : `${shown.slice(0, echo.prompt)}|${shown.slice(echo.prompt)}`;
      return direction === 'sent' ? `→ ${joined}` : joined;
    });

  it('stand once, at the time of the sent line, and everything else keeps both lines', async () => {
    receive('demo> ');
    await test.clock.advance(60_000);
    send('help\n');
    expect(rows()).toEqual(['demo> ', '→ help']);
    await test.clock.advance(5);
    for (const letter of 'help\r\n') {
      receive(letter);
    }
    receive('commands: help\r\ndemo> ');
    expect(rows()).toEqual(['demo> |help', 'commands: help', 'demo> ']);
    const [row] = test.bench.rows({ ...all, joinsEchoes: true }).rows;
    expect((row?.echo?.at ?? 0) - (row?.at ?? 0)).toBe(60_000);
    expect(rows({ joinsEchoes: false })).toEqual(['demo> help', '→ help', 'commands: help', 'demo> ']);
    expect(rows({ controls: true })).toEqual(rows({ joinsEchoes: false }));
    expect(text(test.bench.exportText())).toMatch(/RX {2}demo> help\n.*TX {2}help\n.*RX {2}commands: help\n/);
    expect(test.bench.status().lines).toBe(4);
    const search = test.bench.search({ kind: 'text', text: 'help', ignoreCase: false });
    await search.run(async () => undefined);
    expect(search.count).toBe(3);
  });

  it('stand once on an open port, also for bytes that arrive one by one', async () => {
    const device = await connected(test);
    device.receive('> ');
    await test.clock.settle();
    await test.bench.send(1, utf8('reset\n'));
    for (const letter of 'reset\r\nbye\n') {
      device.receive(letter);
      await test.clock.settle();
    }
    expect(rows().slice(-2)).toEqual(['> |reset', 'bye']);
  });

  it('stand once in a copy, and twice in a copy with times', () => {
    receive('$ ');
    send('ls\n');
    receive('ls\r\nfile\r\n');
    const { bench } = test;
    expect(text(bench.copyRows({ ...everything, joinsEchoes: true }))).toBe('$ ls\nfile\n');
    expect(text(bench.copyRows(everything))).toBe('$ ls\nls\nfile\n');
    expect(text(bench.copyRows({ ...everything, joinsEchoes: true, stamps: true })).split('\n')).toHaveLength(4);
    expect(text(bench.copyRows({ ...everything, joinsEchoes: true, controls: true })).split('\n')).toHaveLength(4);
  });

  it('are found behind a prompt in colours, and in a line that the board draws again', () => {
    receive('\x1b[32muart:~$ \x1b[m');
    send('log\r\n');
    receive('l\r\x1b[K\x1b[32muart:~$ \x1b[mlo\b\blog\r\n');
    expect(rows({ joinsEchoes: false })).toHaveLength(2);
    expect(rows()).toHaveLength(1);
  });

  it('are found behind a prompt with more marks than a command has bytes', () => {
    const mark = `\x1b]3008;start=${'0'.repeat(600)}\x1b\\`;
    receive(`${mark}${mark}root@rk3588:~# `);
    send('ls\n');
    receive(`ls${mark}\r\nfile\r\n`);
    expect(rows({ joinsEchoes: false })).toHaveLength(3);
    expect(rows()).toHaveLength(2);
  });

  it.each([
    ['other text', 'demo> ', 'help\n', 'helo\r\n'],
    ['more than was sent', 'demo> ', 'help\n', 'help me\r\n'],
    ['an answer on the next line', 'demo> ', 'help\n', '\r\nhelp\r\n'],
    ['no prompt', '', 'AT\n', 'AT\r\n'],
    ['a line that is no prompt', 'waiting', 'x\n', 'x\r\n'],
    ['stars for a password', 'login> ', 'secret\n', '******\r\n'],
    ['an empty line', 'demo> ', '\n', '\r\n'],
    ['two lines at once', 'demo> ', 'a\nb\n', 'a\r\n'],
    ['bytes without an end', 'demo> ', 'a', 'a\r\n'],
  ])('are not taken from %s', (_, prompt, command, answer) => {
    receive(`boot\r\n${prompt}`);
    send(command);
    receive(answer);
    expect(rows()).toEqual(rows({ joinsEchoes: false }));
    expect(rows().filter((row) => row.startsWith('→'))).toHaveLength(1);
  });

  it('are not taken from a line that ends two seconds later', async () => {
    receive('demo> ');
    send('help\n');
    await test.clock.advance(2_001);
    receive('help\r\n');
    expect(rows()).toEqual(['demo> help', '→ help']);
  });

  it('are not taken if a line of another port stands between prompt and command', () => {
    receive('demo> ');
    receive('tick\n', 2);
    send('help\n');
    receive('help\r\n');
    expect(rows()).toEqual(['demo> help', 'tick', '→ help']);
  });

  it('are not taken for the second of two commands that were sent before the first echo', () => {
    receive('demo> ');
    send('one\n');
    send('two\n');
    receive('one\r\ndemo> two\r\n');
    expect(rows()).toEqual(['demo> |one', '→ two', 'demo> two']);
  });

  it('hide nothing where their own line is not shown', async () => {
    receive('demo> ');
    send('help\n');
    receive('help\r\n');
    expect(rows({ channels: ['sent-1'] })).toEqual(['→ help']);
    expect(rows({ channels: ['received-1'] })).toEqual(['demo> help']);
    const filter = test.bench.search({ kind: 'text', text: 'help', ignoreCase: false });
    await filter.run(async () => undefined);
    expect(test.bench.rows({ ...all, joinsEchoes: true }, { filter }).rows).toHaveLength(2);
    expect(test.bench.rows({ ...all, layout: 'hex', joinsEchoes: true }).rows).toHaveLength(2);
    for (let line = 0; line < 9_000; line++) {
      receive('filling\n');
    }
    expect(rows()[0]).toBe('→ help');
  });

  it('are found again after a clear that is undone', () => {
    receive('demo> ');
    send('help\n');
    receive('help\r\n');
    test.bench.clear();
    receive('up\n');
    expect(rows()).toEqual(['up']);
    test.bench.restoreCleared();
    expect(rows()).toEqual(['demo> |help', 'up']);
  });

  it('show their second line from when it is asked for', () => {
    receive('demo> ');
    send('help\n');
    receive('help\r\n');
    // Each of the six bytes of the prompt has a number of its own.
    expect(test.bench.showEchoed(1, 6)).toBe(true);
    expect(test.bench.showEchoed(1, 6)).toBe(false);
    expect(rows()).toEqual(['demo> help', '→ help']);
  });

  it('are kept up to a number, the newest', () => {
    for (let line = 0; line <= MAX_ECHOES; line++) {
      receive('$ ');
      send(`${line}\n`);
      receive(`${line}\r\n`);
    }
    expect(rows().slice(0, 3)).toEqual(['$ 0', '→ 0', '$ |1']);
    expect(rows()).toHaveLength(MAX_ECHOES + 2);
  });
});
