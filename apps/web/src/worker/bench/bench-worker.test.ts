import { VirtualClock } from '@wirebench/clock';
import { loadLines } from '@wirebench/devices';
import { defaultPortSettings } from '@wirebench/port';
import type { AnswerPattern, Exchange } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchTick, FromBench, ToBench } from '../../protocol/bench/bench-tick.ts';
import type { PortNames } from '../../protocol/bench/port-part.ts';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from './bench-worker.ts';

const settings = { ...defaultPortSettings, baudRate: 921_600 };
const names: PortNames = { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' };

describe('bench host', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  let ticks: BenchTick[];
  const recorded = new Map<string, number[]>();

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    recorded.clear();
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, {
      clock,
      openRecordingFile: async (name) => {
        const bytes: number[] = [];
        recorded.set(name, bytes);
        return {
          name,
          write: (more) => {
            for (const byte of more) {
              bytes.push(byte);
            }
          },
          durable: true,
          flush: () => undefined,
          close: async () => undefined,
          discard: async () => void recorded.delete(name),
        };
      },
    });
    ticks = [];
    client = new BenchClient((tick) => ticks.push(tick));
    client.attach(page);
  });
  afterEach(() => worker.bench.dispose());

  const last = () => ticks.at(-1)?.status.ports[1];
  const text = async () => {
    const { rows } = await client.call('rows', { layout: 'text', anchor: { position: 0 }, count: 1_000 });
    return rows.map((row) => row.text).join('\n');
  };
  /** Calls, and advances virtual time until the answer arrives. */
  const ask = async <Answer>(call: Promise<Answer>, duration = 1_000): Promise<Answer> => {
    const settled = call.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(duration / 20);
    }
    return (await settled)();
  };
  const connectDemo = () => ask(client.call('connect', 1, { kind: 'demo' }, settings));
  const send = (command: string) => ask(client.call('send', 1, new TextEncoder().encode(`${command}\n`)));

  it('opens a demo device, which talks at the rate of the port', async () => {
    await connectDemo();
    expect(last()).toMatchObject({ state: 'connected', settings, signals: { dtr: true, rts: false } });
    expect(ticks.at(-1)?.devices[1]).toEqual({ kind: 'demo', plugged: true });
    expect(await text()).toContain('demo>');
    await send('info');
    expect(await text()).toContain('921600 8N1');
  });

  it('sends one tick per 16 ms at most, and none before the last was taken', async () => {
    const { page, bench } = callLine();
    const other = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    const arrived: number[] = [];
    let takes = true;
    page.addEventListener('message', ({ data }: MessageEvent<FromBench>) => {
      if ('tick' in data) {
        arrived.push(clock.now());
        if (takes) {
          page.postMessage({ tickTaken: true } satisfies ToBench, []);
        }
      }
    });
    for (let index = 0; index < 100; index++) {
      other.bench.notice('info', `${index}`, null);
      await clock.advance(1);
    }
    expect(arrived.length).toBeGreaterThan(3);
    expect(arrived.every((at, index) => index === 0 || at - (arrived[index - 1] ?? 0) >= 16)).toBe(true);
    takes = false;
    const before = arrived.length;
    for (let index = 0; index < 100; index++) {
      other.bench.notice('info', `${index}`, null);
      await clock.advance(5);
    }
    expect(arrived.length).toBe(before + 1);
  });

  it('reports each frame, less often while lines run by, and of each while these are plotted', async () => {
    await connectDemo();
    const ticksOf = async (words: string) => {
      ticks.splice(0);
      await send(words);
      await ask(client.call('pause', 6_000, 1), 6_000);
      return ticks.length;
    };
    expect(await ticksOf('load 92160 5')).toBeLessThan(120);
    await ask(client.call('plot', { port: null, format: 'any' }), 100);
    expect(await ticksOf('load 92160 5')).toBeGreaterThan(200);
  });

  it('says each notice once, in order', async () => {
    await client.call('notice', 'warning', 'first', null);
    await ask(client.call('notice', 'info', 'second', 2), 100);
    await ask(client.call('notice', 'error', 'third', null), 100);
    expect(ticks.flatMap(({ notices }) => notices.map(({ text: words }) => words))).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('resets the board, starts it in boot mode, and leaves the lines as they were', async () => {
    await connectDemo();
    await client.call('clear');
    await ask(client.call('resetBoard', 1, 'run'), 2_000);
    expect(await text()).toContain('a simulation: no hardware is connected');
    await client.call('clear');
    await ask(client.call('resetBoard', 1, 'boot'), 2_000);
    expect(await text()).toContain('waiting for download');
    expect(last()?.signals).toEqual({ dtr: true, rts: false });
  });

  it('answers a reset with the first line of the new start', async () => {
    await connectDemo();
    await send('load 92160 5');
    const from = await ask(client.call('resetBoard', 1, 'run'), 2_000);
    const { rows } = await client.call('rows', { layout: 'text', anchor: { position: 0 }, count: 100_000 });
    const texts = (isNew: boolean) =>
      rows.flatMap((row) => (row.direction === 'received' && row.sequence >= from === isNew ? [row.text] : []));
    const isStart = (line: string) => line.includes('rst:0x1 (POWERON_RESET)');
    expect(texts(true)[0]).toBe('ets Jul 29 2019 12:21:46');
    expect(texts(true).filter(isStart)).toHaveLength(1);
    expect(texts(false).some((line) => line.includes('demo>'))).toBe(true);
  });

  it('sends a break without a reset, and ends it', async () => {
    await connectDemo();
    await client.call('clear');
    const changes = vi.spyOn(worker.bench, 'setSignals');
    await ask(client.call('sendBreak', 1));
    expect(changes.mock.calls).toEqual([
      [1, { break: true }],
      [1, { break: false }],
    ]);
    expect(await text()).not.toContain('rst:');
  });

  it('sends a file, reports how far it is, and ends it with its ticket', async () => {
    await connectDemo();
    const sent = await ask(client.call('sendFile', 1, new File(['help\n'], 'help.txt'), { kind: 'wire' }, 1));
    expect(sent).toMatchObject({ outcome: 'complete', sent: 5, total: 5 });
    expect(await text()).toContain('Sent help.txt to Port 1');
    const large = client.call('sendFile', 1, new File([new Uint8Array(1 << 20)], 'large.bin'), { kind: 'wire' }, 2);
    await ask(client.call('pause', 500, 3));
    expect(ticks.at(-1)?.sends[1]).toMatchObject({ total: 1 << 20 });
    void client.call('endWait', 2);
    expect(await ask(large)).toMatchObject({ outcome: 'cancelled' });
    await ask(client.call('pause', 50, 4));
    expect(ticks.at(-1)?.sends[1]).toBeNull();
  });

  it('passes a refusal on with its code', async () => {
    await expect(ask(client.call('send', 2, Uint8Array.of(1)))).rejects.toMatchObject({ code: 'not-connected' });
  });

  it('exports exactly the bytes that the device sent', async () => {
    await connectDemo();
    await client.call('clear');
    await send('load 20000 1');
    await ask(clock.sleep(1_000), 1_100);
    const blob = await ask(client.call('exportFile', { kind: 'raw', port: 1 }), 100);
    const bytes = await ask(
      blob.arrayBuffer().then((buffer) => new Uint8Array(buffer)),
      100,
    );
    const sent = loadLines(0, 500, 1);
    const at = new TextDecoder('latin1').decode(bytes).indexOf('00000000 ');
    expect(bytes.subarray(at, at + sent.length)).toEqual(sent);
  });

  it('exports the log as text and CSV with the names of the ports', async () => {
    await connectDemo();
    const portNames = { ...names, 1: 'S3 gateway' };
    for (const kind of ['text', 'csv'] as const) {
      const blob = await ask(client.call('exportFile', { kind, portNames }), 100);
      expect(await blob.text()).toContain('S3 gateway');
    }
  });

  it('exports only the lines that are shown, all of them', async () => {
    await connectDemo();
    const scope = {};
    const terms = [{ kind: 'text', text: 'boot:', ignoreCase: false }] as const;
    await ask(client.call('find', { scope, terms, matchesOnly: true }), 100);
    for (const kind of ['text', 'csv'] as const) {
      const request = { kind, portNames: names, shownOnly: true };
      const lines = (await (await ask(client.call('exportFile', request), 100)).text()).trim().split('\n');
      const rows = kind === 'text' ? lines : lines.slice(1);
      expect(rows.length).toBeGreaterThan(3);
      expect(rows.every((row) => row.includes('boot:'))).toBe(true);
    }
    const all = await ask(client.call('exportFile', { kind: 'text', portNames: names }), 100);
    expect(await all.text()).toContain('demo>');
  });

  it('repeats a message until it is ended, and says how often it was sent', async () => {
    await connectDemo();
    const repeating = client.call('repeat', 1, new TextEncoder().encode('\n'), 100, 7);
    await ask(client.call('pause', 950, 8));
    const count = ticks.at(-1)?.repeats[7];
    expect(count).toBeGreaterThanOrEqual(10);
    await ask(client.call('endWait', 7), 10);
    expect(await ask(repeating, 10)).toEqual({ outcome: 'cancelled', count });
    expect(ticks.at(-1)?.repeats).toEqual({});
    await ask(client.call('disconnect', 1));
  });

  it('marks the lines of a crash, and reports what it was and why the board started again', async () => {
    await connectDemo();
    expect(await ask(client.call('incidents'), 100)).toMatchObject([{ severity: 'notice', chip: 'esp32' }]);
    await send('crash');
    const [crash] = await ask(client.call('incidents'), 100);
    expect(crash).toMatchObject({ port: 1, severity: 'fault', chip: 'esp32', hash: '7d0c5e1b94a2f368' });
    const backtrace = crash?.lines.find(({ kind }) => kind === 'backtrace');
    expect(backtrace?.addresses.map(({ value }) => value.toString(16))).toEqual([
      '400d5b3b',
      '400d5c7e',
      '400d6a12',
      '400e1f4d',
      '4008a1b5',
    ]);
    expect(crash?.lines.at(-1)?.kind).toBe('reset');
    const { rows } = await client.call('rows', { layout: 'text', anchor: { position: 0 }, count: 1_000 });
    const marked = rows.filter((row) => row.crash === 'fault');
    expect(marked.map(({ sequence }) => sequence)).toContain(crash?.lines[0]?.sequence);
    expect(rows.find((row) => row.text.includes('Rebooting'))?.crash).toBeNull();
    const revision = ticks.at(-1)?.incidentRevision;
    await ask(client.call('clear'), 100);
    expect(await ask(client.call('incidents'), 100)).toEqual([]);
    expect(ticks.at(-1)?.incidentRevision).toBeGreaterThan(revision ?? 0);
  });

  it('plots incoming numbers only while the plot is open', async () => {
    await connectDemo();
    const newest = { from: null, span: null, width: 100, hidden: [] } as const;
    expect(await ask(client.call('plotPicture', newest), 100)).toBeNull();
    await ask(client.call('plot', { port: null, format: 'any' }), 100);
    // The demo's boot log contains numbers, too: sizes.
    const seen = (await ask(client.call('plotPicture', newest), 100))?.series.map(({ id }) => id) ?? [];
    const before = ticks.at(-1)?.plotRevision ?? 0;
    await send('adc 2 20 50');
    const picture = await ask(client.call('plotPicture', newest), 1_000);
    expect(picture?.series.at(-1)).toMatchObject({ name: 'adc2', port: 1, points: 20 });
    expect(picture?.revision).toBeGreaterThan(before);
    const last = { ...newest, span: 1_000, hidden: seen };
    const window = (await ask(client.call('plotPicture', last), 100))?.window;
    expect(window?.series).toHaveLength(1);
    expect([...(window?.series[0]?.values ?? [])].filter((value) => !Number.isNaN(value))).toHaveLength(20);
    const csv = await ask(client.call('exportFile', { kind: 'plot', portNames: names }), 100);
    expect(await csv.text()).toMatch(/^time,epoch_ms,.*adc2\r\n/);
    await ask(client.call('plot', null), 100);
    expect(await ask(client.call('plotPicture', newest), 100)).toBeNull();
  });

  it('shows the newest stretch of the plot by whole columns, or the stretch that is asked for', async () => {
    await connectDemo();
    await ask(client.call('plot', { port: 1, format: 'named' }), 100);
    await send('adc 2 40 100');
    await ask(client.call('pause', 4_000, 1), 4_000);
    const view = { from: null, span: 1_000, width: 50, hidden: [] } as const;
    const live = await ask(client.call('plotPicture', view), 100);
    expect(live?.to).toBeGreaterThan(live?.series[0]?.to ?? Number.POSITIVE_INFINITY);
    expect((live?.to ?? 0) % 20).toBeCloseTo(0);
    expect((live?.to ?? 0) - (live?.from ?? 0)).toBe(1_000);
    const asked = await ask(client.call('plotPicture', { from: 5, to: 5, width: 50, hidden: [] }), 100);
    expect([asked?.from, asked?.to]).toEqual([5, 6]);
  });

  it('shows the oldest and the newest point of a whole plot, however wide the screen is', async () => {
    await connectDemo();
    await ask(client.call('plot', { port: 1, format: 'named' }), 100);
    await send('adc 2 40 100');
    await ask(client.call('pause', 4_000, 1), 4_000);
    for (let width = 100; width < 3_000; width += 97) {
      const picture = await ask(client.call('plotPicture', { from: null, span: null, width, hidden: [] }), 100);
      const { from = Number.NaN, to = Number.NaN } = picture ?? {};
      const [series] = picture?.series ?? [];
      const [oldest, newest] = [series?.from ?? Number.NaN, series?.to ?? Number.NaN];
      expect(from, `from at ${width} px`).toBeLessThanOrEqual(oldest);
      expect(to, `to at ${width} px`).toBeGreaterThan(newest);
      // The curve fills the width but for a few columns.
      expect(to - from).toBeLessThan((newest - oldest) * (1 + 4 / width));
    }
  });

  it('finds the rate of a board, and has the port open again as it was', async () => {
    await connectDemo();
    await send('sensors on');
    await ask(client.call('reopen', 1, { ...settings, baudRate: 9_600 }));
    const finding = client.call('findBaudRate', 1, { kind: 'same' }, settings, 3);
    await ask(client.call('pause', 5_000, 4), 5_000);
    expect(ticks.at(-1)?.baudSearches[1]).toMatchObject({ count: 9 });
    const found = await ask(finding, 30_000);
    expect(found).toMatchObject({ baudRate: 921_600, silent: false });
    expect(last()).toMatchObject({ state: 'connected', settings: { baudRate: 9_600 } });
    expect(ticks.at(-1)?.baudSearches[1]).toBeNull();
  });

  it('has the port open again after a search for the rate was ended', async () => {
    await connectDemo();
    const finding = client.call('findBaudRate', 1, { kind: 'same' }, settings, 3);
    const refused = expect(finding).rejects.toThrow();
    await ask(client.call('pause', 1_000, 4));
    await ask(client.call('endWait', 3));
    await refused;
    expect(last()).toMatchObject({ state: 'connected', settings });
  });

  it('connects again when the demo device is plugged in again', async () => {
    await connectDemo();
    await ask(client.call('plugDemo', 1, false));
    expect(last()?.state).toBe('reconnecting');
    expect(ticks.at(-1)?.devices[1]).toEqual({ kind: 'demo', plugged: false });
    await ask(client.call('plugDemo', 1, true), 3_000);
    expect(last()?.state).toBe('connected');
    await send('adc 0');
    expect(await text()).toMatch(/adc0:\d+/);
  });

  it('stops waiting when told', async () => {
    await connectDemo();
    await ask(client.call('plugDemo', 1, false));
    await ask(client.call('cancelReconnect', 1));
    expect(last()?.state).toBe('disconnected');
  });

  it('opens the same device again with other settings, also after it came back', async () => {
    await connectDemo();
    await ask(client.call('reopen', 1, { ...settings, baudRate: 9_600 }));
    expect(last()).toMatchObject({ state: 'connected', settings: { baudRate: 9_600 } });
    await ask(client.call('plugDemo', 1, false));
    await ask(client.call('plugDemo', 1, true), 3_000);
    await ask(client.call('reopen', 1, settings));
    await send('i2cscan');
    expect(await text()).toContain('devices:');
  });

  it('records every byte that comes while it records', async () => {
    await connectDemo();
    const request = { kind: 'raw', ports: [1], portNames: names, splitBytes: null, folder: null } as const;
    const id = await ask(client.call('startRecording', request), 100);
    await send('load 50000 2');
    await ask(clock.sleep(3_000), 3_000);
    expect(ticks.at(-1)?.recordings).toMatchObject([{ id, kind: 'raw', durable: true }]);
    const stopped = await ask(client.call('stopRecording', id), 100);
    expect(stopped?.files).toHaveLength(1);
    const bytes = Uint8Array.from(recorded.get(stopped?.files[0] ?? '') ?? []);
    const sent = loadLines(0, 2_500, 1);
    const at = new TextDecoder('latin1').decode(bytes).indexOf('00000000 ');
    expect(bytes.subarray(at, at + sent.length)).toEqual(sent);
    expect(ticks.at(-1)?.recordings).toEqual([]);
  });

  const exchangeOf = (words: string, answer: AnswerPattern, timeout = 500): Exchange => ({
    bytes: new TextEncoder().encode(`${words}\n`),
    answers: [answer],
    fresh: true,
    timeout,
  });
  const bytesOf = (words: string): AnswerPattern => ({ kind: 'bytes', bytes: new TextEncoder().encode(words) });

  it('asks the device, hears every byte of its answers, and returns all that passed', async () => {
    await connectDemo();
    await client.call('openConversation', 1, 10);
    const question = (words: string, answer: string, ticket: number) =>
      ask(client.call('exchange', 10, exchangeOf(words, bytesOf(answer)), ticket), 2_000);
    expect(await question('info', 'mac        02:57:42:00:00:01', 1)).toMatchObject({ kind: 'answered' });
    expect(await question('stop', 'something is running', 2)).toMatchObject({ kind: 'no-answer' });
    const { entries } = await ask(client.call('closeConversation', 10), 100);
    expect(entries.filter(({ kind }) => kind === 'sent')).toHaveLength(2);
    const heard = entries.map((entry) => (entry.kind === 'received' ? new TextDecoder().decode(entry.bytes) : ''));
    expect(heard.join('')).toContain('nothing is running');
    await expect(ask(client.call('exchange', 10, exchangeOf('x', bytesOf('y')), 3))).rejects.toThrow('not open');
    await client.call('openConversation', 2, 11);
    await expect(ask(client.call('exchange', 11, exchangeOf('x', bytesOf('y')), 4))).rejects.toMatchObject({
      code: 'not-connected',
    });
  });

  it('decides the rules of a run: one that must fire is waited for, and one that must not fire ends the run', async () => {
    await connectDemo();
    const line = (find: string) => ({ kind: 'line', find, matchCase: false }) as const;
    await client.call('openChecks', 1, [{ name: 'Help', must: 'fire', condition: line('which addresses') }], 20);
    void client.call('send', 1, new TextEncoder().encode('help\n'));
    expect(await ask(client.call('closeChecks', 20, true, 1), 3_000)).toEqual([
      { name: 'Help', after: expect.any(Number), fault: null },
    ]);
    await client.call('openChecks', 1, [{ name: 'No help', must: 'not-fire', condition: line('which addresses') }], 21);
    const broken = client.call('brokenChecks', 21);
    void client.call('send', 1, new TextEncoder().encode('help\n'));
    await ask(broken, 2_000);
    expect(await ask(client.call('closeChecks', 21, true, 2), 100)).toEqual([
      {
        name: 'No help',
        after: expect.any(Number),
        fault: expect.stringMatching(
          /^the rule "No help" fired after [\d.]+ s: .*which addresses.*, which withdraws the pass$/,
        ),
      },
    ]);
    await expect(ask(client.call('closeChecks', 21, false, 3), 100)).rejects.toThrow('not open');
  });

  it('ends the wait for a rule when the page wants it, and says that the rule did not fire', async () => {
    await connectDemo();
    const never = { kind: 'value', series: 'heap', side: 'below', limit: 20_000 } as const;
    const rules = [
      { name: 'Never', must: 'fire', condition: never },
      { name: 'Heap', must: 'not-fire', condition: never },
    ] as const;
    await client.call('openChecks', 1, rules, 20);
    const verdicts = client.call('closeChecks', 20, false, 1);
    void client.call('endWait', 1);
    expect((await ask(verdicts, 100)).map(({ fault }) => fault)).toEqual([
      'the rule "Never" did not fire',
      '"heap" was never plotted',
    ]);
  });

  it('ends questions and pauses when the page wants it', async () => {
    await connectDemo();
    await client.call('openConversation', 1, 10);
    const never = { kind: 'bytes', bytes: Uint8Array.of(0xff) } as const;
    const asked = client.call('exchange', 10, exchangeOf('', never, 60_000), 1);
    const paused = client.call('pause', 60_000, 2);
    void client.call('endWait', 1);
    void client.call('endWait', 2);
    expect(await ask(asked, 100)).toMatchObject({ kind: 'cancelled' });
    await ask(paused, 100);
    await client.call('endWait', 2);
    let over = false;
    void client.call('pause', 500, 3).then(() => {
      over = true;
    });
    await ask(clock.sleep(490), 490);
    expect(over).toBe(false);
    await ask(clock.sleep(20), 20);
    expect(over).toBe(true);
  });

  it('refuses a buffer that cannot be, and goes on with the one it has', async () => {
    await expect(ask(client.call('resize', 1))).rejects.toThrow();
    await connectDemo();
    expect(await text()).toContain('demo>');
  });
});
