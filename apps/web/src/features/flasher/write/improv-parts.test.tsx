/** After a write: the one request for device information, and the next step that follows from the answer. */
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImprovStatus } from '../../../protocol/bench/improv-part.ts';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { declineImprov } from '../../../workbench/improv/improv-offer.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { dispatch, startFlasher } from '../store/flasher-store.ts';
import { probeAfterStart } from '../store/improv-probe.ts';
import { type NextStep, useNextStep } from '../store/next-step.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { ImprovStep } from './improv-parts.tsx';

const bench = fakeBench(async () => ({}));
/** Number of requests for device information. */
const requests = () => bench.mock.calls.filter(([name]) => name === 'improvJob').length;

const emptyPlan = { refusals: [], overridden: [], warnings: [], eraseAll: false, regions: [], map: [] };

function tick(improv: Partial<ImprovStatus>, received = 0, state: 'connected' | 'disconnected' = 'connected'): void {
  const { tick: last } = benchStatus;
  const port = { ...last.status.ports[1], state, received };
  benchStatus.accept({
    ...last,
    status: { ...last.status, ports: { ...last.status.ports, 1: port } },
    improv: { ...last.improv, 1: { ...last.improv[1], ...improv } },
  });
}

let step: NextStep | null = null;
function Shown() {
  step = useNextStep(1);
  return <ImprovStep port={1} />;
}

beforeEach(() => {
  startFlasher(testFamily);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
  dispatch(1, { type: 'plan' });
  dispatch(1, { type: 'planned', plan: { ...emptyPlan, toWrite: 1, same: 0, duration: 1 } });
  dispatch(1, { type: 'write' });
  dispatch(1, { type: 'written', report: testReport() });
  dispatch(1, { type: 'restarted', byHand: false });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  bench.mockClear();
  vi.useRealTimers();
});

describe('the next step after a write', () => {
  it('is the set-up of Wi-Fi for a board without a network, and then its page', () => {
    tick({ isHeard: true, state: 'ready', address: '' });
    render(<Shown />);
    expect([step?.label, step?.text]).toEqual([
      'Set up Wi-Fi',
      'It has no network yet: it can be put on your Wi-Fi from here.',
    ]);
    act(() => tick({ state: 'connected', address: 'http://192.0.2.23/' }));
    expect([step?.label, step?.text]).toEqual(['Open its page', 'It is on a network as 192.0.2.23.']);
    act(() => tick({ address: 'javascript:alert(1)' }));
    expect(step).toBeNull();
  });

  it('is absent after Not now, and for a board that does not answer', () => {
    tick({ isHeard: false, state: null, address: '' });
    render(<Shown />);
    expect(step).toBeNull();
    act(() => tick({ isHeard: true, state: 'ready' }));
    expect(step?.label).toBe('Set up Wi-Fi');
    act(() => declineImprov(1));
    expect(step).toBeNull();
  });
});

describe('the request for device information', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    tick({ isHeard: false, state: null, job: null }, 1);
  });

  it('is sent once, when the board has been silent for a second', async () => {
    probeAfterStart(1);
    tick({}, 10);
    await vi.advanceTimersByTimeAsync(900);
    tick({}, 20);
    await vi.advanceTimersByTimeAsync(900);
    expect(requests()).toBe(0);
    await vi.advanceTimersByTimeAsync(200);
    vi.useRealTimers();
    await vi.waitFor(() => expect(requests()).toBe(1));
    expect(bench).toHaveBeenCalledWith('improvJob', 1, { kind: 'probe' }, expect.any(Number));
  });

  it('is sent to a board that never stops printing after eight seconds', async () => {
    probeAfterStart(1);
    for (let received = 2; received < 18; received++) {
      tick({}, received);
      await vi.advanceTimersByTimeAsync(500);
    }
    vi.useRealTimers();
    await vi.waitFor(() => expect(requests()).toBe(1));
  });

  it('is not sent if the monitor is closed earlier', async () => {
    probeAfterStart(1);
    tick({}, 2);
    tick({}, 2, 'disconnected');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(requests()).toBe(0);
  });
});
