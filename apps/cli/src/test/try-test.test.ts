import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { readJkitFile, readTest } from '@wirebench/runs';
import { Bench } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { readForbidden } from '../awaited-text.ts';
import { TryRun } from './try-test.ts';

/** Begins a try with a board that answers nothing by itself. */
async function begun(content: object, forbidden: readonly string[] = []) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 29));
  let run: TryRun | null = null;
  const bench = new Bench({
    clock,
    onChange: () => run?.changed(),
    onReceived: (port, bytes, at) => run?.received(port, bytes, at),
  });
  const board = new FakeSerialPort();
  await bench.connect(1, board, defaultPortSettings);
  const read = readTest(readJkitFile(JSON.stringify({ name: 'Start', ...content }), 'start.jkit.json'));
  if (!read.ok) {
    throw new Error(read.faults.join(' '));
  }
  const { test } = read;
  const signal = new AbortController().signal;
  run = new TryRun({
    clock,
    bench,
    test,
    sent: new Map(),
    forbidden: readForbidden(forbidden),
    settle: 0,
    limit: null,
    signal,
    crashes: async () => '',
  });
  const says = async (text: string) => {
    board.receive(text);
    await clock.advance(1);
  };
  const ended = async () => {
    const result = run.run();
    await clock.advance(5_000);
    return result;
  };
  return { run, says, ended };
}

const waitsForStart = {
  fields: [
    { content: 'version', label: 'Start', timeoutMs: 500, flow: { waitFirst: true, answers: [{ text: 'ready' }] } },
  ],
};
const noPanic = { fields: [], rules: [{ name: 'No panic', when: { line: 'panic' }, must: 'not-fire' }] };

describe('a board that is restarted for a try', () => {
  it('passes by what its program says after the restart', async () => {
    const { run, says, ended } = await begun(waitsForStart);
    run.restarted(1);
    await says('ready\n');
    expect((await ended()).exitCode).toBe(0);
  });

  it('does not pass by what the program before has said', async () => {
    const { run, says, ended } = await begun(waitsForStart);
    await says('ready\n');
    run.restarted(1);
    expect((await ended()).exitCode).toBe(1);
  });

  it('does not fail by a line of the program before', async () => {
    const { run, says, ended } = await begun(noPanic);
    await says('panic\n');
    run.restarted(1);
    expect((await ended()).exitCode).toBe(0);
  });

  it('fails by the same line after the restart', async () => {
    const { run, says, ended } = await begun(noPanic);
    run.restarted(1);
    await says('panic\n');
    expect((await ended()).exitCode).toBe(1);
  });
});

describe('a text of --fail-on', () => {
  const faultsOf = ({ cases }: Awaited<ReturnType<TryRun['run']>>) => cases.map(({ fault }) => fault?.message ?? null);

  it('is found with escapes, over the end of a line, in pieces', async () => {
    const { says, ended } = await begun(waitsForStart, ['hot\\r\\nready', 'never']);
    await says('one\nho');
    await says('t\r\nrea');
    await says('dy\r\n');
    const result = await ended();
    expect(result.exitCode).toBe(1);
    expect(faultsOf(result)).toEqual([
      null,
      expect.stringMatching(/^"hot\\r\\nready" came after 0\.\d+ s on board 1, .* The line: ready$/),
      null,
    ]);
    expect(result.cases[1]?.name).toBe('--fail-on hot\\r\\nready');
  });

  it('is found in a line that has no end yet', async () => {
    const { says, ended } = await begun(noPanic, ['/he[a]t$/']);
    await says('high heat');
    expect(faultsOf(await ended())).toEqual([null, expect.stringContaining('The line: high heat')]);
  });

  it('does not count before the restart of a board', async () => {
    const { run, says, ended } = await begun(noPanic, ['hot']);
    await says('hot\nho');
    run.restarted(1);
    await says('t\n');
    expect((await ended()).exitCode).toBe(0);
  });
});
