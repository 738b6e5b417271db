import { describe, expect, it } from 'vitest';
import { type BenchTick, idleTick, isQuiet, lostTick, sameFacts } from './bench-tick.ts';
import { idleBoard } from './board-files-part.ts';
import { fact } from './fact.ts';
import { noAdvice } from './port-part.ts';

const port = (status: Partial<BenchTick['status']['ports'][1]>): Partial<BenchTick> => {
  const { ports } = idleTick.status;
  return { status: { ...idleTick.status, ports: { ...ports, 3: { ...ports[3], ...status } } } };
};
const rate = (baudRate: number) => ({ ...noAdvice, rate: { kind: 'wrong', baudRate } as never });

describe('bench tick', () => {
  it.each<[string, Partial<BenchTick>]>([
    ['a state', port({ state: 'connected' })],
    ['a control line', port({ signals: { dtr: true, rts: false } })],
    ['a setting', port({ settings: { baudRate: 9_600 } as never })],
    ['the first line', { status: { ...idleTick.status, lines: 1 } }],
    ['a guest', { users: { ...idleTick.users, 2: 'Aylin' } }],
    ['a device', { devices: { ...idleTick.devices, 4: { kind: 'demo', plugged: true } } }],
    ['a sign of a wrong rate', { advice: { ...idleTick.advice, 1: rate(9_600) } }],
    ['a prompt', { boards: { ...idleTick.boards, 1: { ...idleBoard, isAtPrompt: true } } }],
    ['a found network', { improv: { ...idleTick.improv, 1: { ...idleTick.improv[1], found: [{} as never] } } }],
    ['a tried rate', { baudSearches: { ...idleTick.baudSearches, 1: { rate: 9_600, index: 0, count: 9 } } }],
    ['an export', { exported: 0 }],
    ['a recording', { recordings: [{ id: 'a' } as never] }],
    ['a search', { find: { request: 1, count: 0, shown: null, complete: false, index: null, sequence: null } }],
  ])('shows %s at once', (_what, change) => {
    expect(sameFacts(idleTick, { ...idleTick, ...change })).toBe(false);
    expect(sameFacts({ ...idleTick, ...change }, structuredClone({ ...idleTick, ...change }))).toBe(true);
  });

  it('lets counters, revisions and news wait', () => {
    const before = { ...idleTick, ...port({ received: 1, lines: 1 }), plotRevision: 1, repeats: { 1: 1 } };
    const after = { ...idleTick, ...port({ received: 7, lines: 2 }), plotRevision: 3, repeats: { 1: 2 } };
    expect(sameFacts(before, after)).toBe(true);
    const search = { request: 1, count: 1, shown: null, complete: false, index: null, sequence: null };
    expect(sameFacts({ ...after, find: search }, { ...after, find: { ...search, count: 9 } })).toBe(true);
    expect(sameFacts({ ...after, exported: 1 }, { ...after, exported: 2 })).toBe(true);
  });

  it('keeps revisions and counters of a lost bench, and nothing that went on', () => {
    const tick = { ...idleTick, ...port({ state: 'connected', received: 7 }), plotRevision: 3, exported: 5 };
    const lost = lostTick({ ...tick, repeats: { 1: 2 } });
    expect(lost).toEqual({ ...idleTick, ...port({ received: 7 }), plotRevision: 3 });
  });

  it('shows every field of every fact at once that is not a counter', () => {
    type Ports = BenchTick['status']['ports'];
    const withNew = (value: unknown) => ({
      ...idleTick,
      status: {
        ...idleTick.status,
        ports: { ...idleTick.status.ports, 2: { ...idleTick.status.ports[2], added: value } } as Ports,
      },
      boards: { ...idleTick.boards, 2: { ...idleBoard, added: { deep: value } } },
    });
    expect(sameFacts(withNew(1), withNew(1))).toBe(true);
    expect(sameFacts(withNew(1), withNew(2))).toBe(false);
    // @ts-expect-error: a counter that is no field
    fact({ bytes: 1 }, ['byte']);
  });

  it('knows the calls of the screen', () => {
    expect((['rows', 'statistics', 'pause', 'markTicks'] as const).every(isQuiet)).toBe(true);
    expect((['connect', 'send', 'clear', 'startRecording'] as const).some(isQuiet)).toBe(false);
  });
});
