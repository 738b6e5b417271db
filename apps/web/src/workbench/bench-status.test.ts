import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchTick } from '../protocol/bench/bench-tick.ts';
import { BenchStatusStore } from './bench-status.ts';

describe('bench status', () => {
  let store: BenchStatusStore;
  let views: number;
  beforeEach(() => {
    vi.useFakeTimers();
    store = new BenchStatusStore();
    views = 0;
    store.subscribe(() => views++);
  });
  afterEach(() => vi.useRealTimers());

  const tick = (port: Partial<BenchTick['status']['ports'][1]>): BenchTick => {
    const { tick: last } = store;
    return {
      ...last,
      status: { ...last.status, ports: { ...last.status.ports, 1: { ...last.status.ports[1], ...port } } },
    };
  };

  it('shows every port as closed once the bench is lost, and keeps what was counted', () => {
    store.accept(tick({ state: 'connected', signals: { dtr: true, rts: false }, received: 5_000, connectedAt: 7 }));
    store.lose();
    expect(store.view.status.ports[1]).toMatchObject({
      state: 'disconnected',
      signals: { dtr: false, rts: false },
      received: 5_000,
      connectedAt: 7,
    });
    expect(store.view.recordings).toEqual([]);
    expect(store.view.devices[1]).toBeNull();
  });

  it('gives a change of state out at once', () => {
    store.accept(tick({ state: 'connecting' }));
    expect(views).toBe(1);
    store.accept(tick({ state: 'connected', signals: { dtr: true, rts: false } }));
    expect(views).toBe(2);
    expect(store.view.status.ports[1].state).toBe('connected');
  });

  it('gives counters out four times a second at most, and the last one for sure', () => {
    for (let received = 16; received <= 1_600; received += 16) {
      store.accept(tick({ received }));
      vi.advanceTimersByTime(16);
    }
    expect(views).toBeLessThanOrEqual(7);
    vi.advanceTimersByTime(250);
    expect(store.view.status.ports[1].received).toBe(1_600);
  });

  it('lets rates fall to nothing when no tick comes any more, and then rests', () => {
    store.accept(tick({ received: 0 }));
    vi.advanceTimersByTime(500);
    store.accept(tick({ received: 10_000 }));
    vi.advanceTimersByTime(500);
    expect(store.view.rates[1].received.now).toBeGreaterThan(0);
    vi.advanceTimersByTime(3_000);
    expect(store.view.rates[1].received.now).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports every tick to its listeners', () => {
    const seen: number[] = [];
    const end = store.onTick(({ status }) => seen.push(status.ports[1].received));
    store.accept(tick({ received: 1 }));
    store.accept(tick({ received: 2 }));
    end();
    store.accept(tick({ received: 3 }));
    expect(seen).toEqual([1, 2]);
  });
});
