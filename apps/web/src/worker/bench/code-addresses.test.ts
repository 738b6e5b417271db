/** Code addresses in log lines that belong to no crash. */
import { VirtualClock } from '@wirebench/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from './bench-worker.ts';

const flash = { low: 0x4010_0000, high: 0x4020_0000 };

describe('addresses of code in ordinary lines', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    client = new BenchClient(() => undefined);
    client.attach(page);
  });
  afterEach(() => worker.bench.dispose());

  const receive = async (...lines: readonly string[]) => {
    worker.bench.record(1, 'received', new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')));
    await clock.advance(100);
  };
  const ask = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(20);
    }
    return call;
  };
  const found = async () => (await ask(client.call('incidents'))).find(({ id }) => id < 0);

  it('are found while the page has an ELF file, also in lines that came before', async () => {
    await receive('callback at 0x40123456, data at 0x3ffb0000, count 0x12');
    expect(await found()).toBeUndefined();
    await ask(client.call('setCodeRanges', [flash]));
    const before = await found();
    expect(before).toMatchObject({ port: 1, severity: 'notice', lines: [{ kind: 'address' }] });
    expect(before?.lines[0]?.addresses).toEqual([{ value: 0x4012_3456, role: 'register', label: 'In a line' }]);
    await receive('then 0x40123458');
    expect((await found())?.lines).toHaveLength(2);
    await ask(client.call('setCodeRanges', []));
    expect(await found()).toBeUndefined();
  });

  it('go and come back with the lines of the log', async () => {
    await ask(client.call('setCodeRanges', [flash]));
    await receive('callback at 0x40123456');
    expect((await found())?.lines).toHaveLength(1);
    await ask(client.call('clear'));
    expect(await found()).toBeUndefined();
    await ask(client.call('undoClear'));
    expect((await found())?.lines).toHaveLength(1);
  });

  it('are not those of crashes, and only the newest of very many', async () => {
    await ask(client.call('setCodeRanges', [flash]));
    await receive('Backtrace: 0x40123456:0x3ffb5030 0x40123458:0x3ffb5050');
    expect(await found()).toBeUndefined();
    await receive(...Array.from({ length: 500 }, (_, index) => `step 0x4012${index.toString(16).padStart(4, '0')}`));
    const { lines } = (await found()) ?? { lines: [] };
    expect(lines).toHaveLength(400);
    expect(lines.at(-1)?.text).toBe('step 0x401201f3');
  });
});
