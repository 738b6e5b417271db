import type { PortStatus } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { dispatch, flashOf, startFlasher } from './flasher-store.ts';
import { listenToStart, stopListening } from './start-listener.ts';

/** Rows that the board has printed. A row without a line feed is still open. */
let said: string[] = [];
let received = 0;
const call = fakeBench(async (_name, range) => {
  const from = (range as { readonly anchor: { readonly sequence: number } }).anchor.sequence;
  const rows = said.map((text, index) => ({
    sequence: index,
    text: text.replace(/\n$/, ''),
    open: !text.endsWith('\n'),
  }));
  return { rows: rows.slice(from) };
});

async function says(...lines: string[]): Promise<void> {
  said.push(...lines);
  received += 1;
  const { tick } = benchStatus;
  const port: PortStatus = { ...tick.status.ports[1], state: 'connected', received };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: port } } });
  await vi.advanceTimersByTimeAsync(250);
}

const report = testReport();
const emptyPlan = { refusals: [], overridden: [], warnings: [], eraseAll: false, regions: [], map: [] };

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  startFlasher(testFamily);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
  dispatch(1, { type: 'plan' });
  dispatch(1, { type: 'planned', plan: { ...emptyPlan, toWrite: 1, same: 0, duration: 1 } });
  dispatch(1, { type: 'write' });
  dispatch(1, { type: 'written', report });
  dispatch(1, { type: 'restarted', byHand: false });
});
afterEach(() => {
  stopListening(1);
  vi.useRealTimers();
});

const observed = () => flashOf(1).startObservation;

describe('listening to a board after its write', () => {
  it('reports the program only after the board has named it', async () => {
    listenToStart(1, 0);
    expect(observed()).toEqual({ verdict: { kind: 'silence' }, waited: false });
    await says('I (231) app_init: Project name:     blink\n', 'I (240) app_init: App vers');
    expect(observed()?.verdict).toEqual({ kind: 'app', project: 'blink', version: null });
    said[1] = 'I (240) app_init: App version:      2.0\n';
    await says();
    expect(observed()?.verdict).toEqual({ kind: 'app', project: 'blink', version: '2.0' });
  });

  it('detects a chip whose flash has no bootloader', async () => {
    listenToStart(1, 0);
    await says('rst:0x10 (RTCWDT_RTC_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\n', 'invalid header: 0xffffffff\n');
    expect(observed()?.verdict).toMatchObject({ kind: 'invalid-header', empty: true });
  });

  it('reports silence only after a while, and still hears later output', async () => {
    listenToStart(1, 0);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(observed()).toMatchObject({ waited: false });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(observed()).toEqual({ verdict: { kind: 'silence' }, waited: true });
    await says('ready at last\n');
    expect(observed()?.verdict).toMatchObject({ kind: 'app' });
  });

  it('ignores output from before the restart', async () => {
    said = ['Guru Meditation Error: Core  1 panic’ed\n'];
    listenToStart(1, 1);
    await says('hello from the new program\n');
    expect(observed()?.verdict).toEqual({ kind: 'app', project: null, version: null });
  });

  it('ends with the monitor and reports nothing', async () => {
    listenToStart(1, 0);
    stopListening(1);
    expect(observed()).toBeNull();
    await says('hello\n');
    expect(observed()).toBeNull();
  });

  it('does not read a flood repeatedly', async () => {
    listenToStart(1, 0);
    await says(...Array.from({ length: 500 }, (_, index) => `sample ${index}\n`));
    const looks = call.mock.calls.length;
    await says('sample\n');
    expect(call.mock.calls).toHaveLength(looks);
  });
});
