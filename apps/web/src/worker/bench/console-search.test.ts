import { VirtualClock } from '@wirebench/clock';
import { Bench } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FindRequest } from '../../protocol/bench/find-part.ts';
import type { LogPart } from '../../protocol/bench/row-part.ts';
import { ConsoleSearch } from './console-search.ts';

const text = (wanted: string): FindRequest => ({
  scope: {},
  terms: [{ kind: 'text', text: wanted, ignoreCase: true }],
  matchesOnly: false,
});

describe('console search', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let search: ConsoleSearch;
  let progress: number;
  const say = (...texts: string[]) => {
    for (const line of texts) {
      bench.notice('info', line, null);
    }
  };
  const shown = (pane: LogPart | null = null) =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 1_000 }, search.viewOf(pane))
      .rows.map(({ bytes }) => new TextDecoder().decode(bytes));
  /** Searches to the end, in as many slices as needed. */
  const finish = async () => {
    for (let turns = 0; search.status?.complete === false && turns < 1_000; turns++) {
      search.advance();
      await clock.advance(1);
    }
  };

  /** Waits until pending work has finished. */
  const settle = async () => {
    for (let turns = 0; turns < 20; turns++) {
      search.advance();
      await clock.advance(1);
    }
  };

  beforeEach(() => {
    clock = new VirtualClock(1_000);
    bench = new Bench({ clock });
    progress = 0;
    search = new ConsoleSearch({ bench, clock, onProgress: () => progress++ });
  });
  afterEach(() => bench.dispose());

  it('finds lines again that come back after a clear', async () => {
    say('wifi: up', 'mqtt: up');
    search.find({ ...text('wifi'), matchesOnly: true });
    await finish();
    search.step('next', 0);
    bench.clear();
    say('wifi: later');
    await finish();
    expect(shown()).toEqual(['wifi: later']);
    bench.restoreCleared();
    search.restart();
    await finish();
    expect(shown()).toEqual(['wifi: up', 'wifi: later']);
    expect(search.status).toMatchObject({ count: 2, index: 0 });
  });

  it('shows a pane whole again when a clear is undone, though nothing is looked for', async () => {
    bench.notice('info', 'before', 1);
    expect(shown(1)).toEqual(['before']);
    bench.clear();
    bench.notice('info', 'after', 1);
    expect(shown(1)).toEqual(['after']);
    bench.restoreCleared();
    search.restart();
    await settle();
    expect(shown(1)).toEqual(['before', 'after']);
  });

  it('shows all ports but one, and of them only those that the find field lets through', async () => {
    for (const port of [1, 2, 3] as const) {
      bench.notice('info', `of ${port}`, port);
    }
    expect(shown('without-1')).toEqual(['of 2', 'of 3']);
    search.find({ scope: { ports: [1, 3] }, terms: [], matchesOnly: false });
    shown('without-1');
    await settle();
    expect(shown('without-1')).toEqual(['of 3']);
    bench.notice('info', 'later', 3);
    bench.notice('info', 'later of the Screen', 1);
    await settle();
    expect(shown('without-1')).toEqual(['of 3', 'later']);
  });

  it('counts what is there and what comes later', async () => {
    say('wifi: up', 'mqtt: up', 'WiFi: down');
    search.find(text('wifi'));
    await finish();
    expect(search.status).toMatchObject({ count: 2, shown: null, complete: true, index: null });
    say('wifi: up again');
    expect(search.status?.complete).toBe(false);
    await finish();
    expect(search.status?.count).toBe(3);
    expect(progress).toBeGreaterThan(0);
  });

  it('begins at the newest match that is seen, and goes round at the ends', async () => {
    say('a wifi', 'b', 'c wifi', 'd', 'e wifi');
    search.find(text('wifi'));
    await finish();
    expect(search.step('next', 3)?.sequence).toBe(2);
    expect(search.status?.index).toBe(1);
    expect(search.step('next', 3)?.sequence).toBe(4);
    expect(search.step('next', 3)).toMatchObject({ sequence: 0, wrapped: true });
    expect(search.step('previous', 3)?.sequence).toBe(4);
    expect(search.status?.index).toBe(2);
  });

  it('shows all lines, and only matches on request', async () => {
    say('a wifi', 'b', 'c wifi');
    search.find(text('wifi'));
    await finish();
    expect(shown()).toEqual(['a wifi', 'b', 'c wifi']);
    search.find({ ...text('wifi'), matchesOnly: true });
    await finish();
    expect(shown()).toEqual(['a wifi', 'c wifi']);
  });

  it('hides what does not count, also while nothing is looked for', async () => {
    bench.notice('info', 'of port 1', 1);
    bench.notice('info', 'of port 2', 2);
    search.find({ scope: { ports: [2] }, terms: [], matchesOnly: false });
    await finish();
    expect(shown()).toEqual(['of port 2']);
    expect(search.status).toMatchObject({ count: null, shown: 1, complete: true });
    expect(search.step('next', 0)).toBeNull();
  });

  it('shows each port alone, with what is looked for', async () => {
    bench.notice('info', 'of port 1', 1);
    bench.notice('info', 'of port 2', 2);
    bench.notice('info', 'wifi of port 2', 2);
    shown(1);
    shown(2);
    shown(3);
    await settle();
    expect([shown(1), shown(2), shown(3)]).toEqual([['of port 1'], ['of port 2', 'wifi of port 2'], []]);
    expect(search.status).toBeNull();
    bench.notice('info', 'more of port 1', 1);
    expect(shown(1)).toEqual(['of port 1', 'more of port 1']);
    search.find({ ...text('wifi'), matchesOnly: true });
    shown(1);
    shown(2);
    await settle();
    expect([shown(1), shown(2)]).toEqual([[], ['wifi of port 2']]);
    search.closePane(1);
    search.find({ scope: {}, terms: [], matchesOnly: false });
    expect(shown()).toHaveLength(4);
  });

  it('goes on as it was when an expression cannot be used', async () => {
    say('a wifi', 'b');
    search.find(text('wifi'));
    await finish();
    const wrong = { kind: 'regex', source: '(', ignoreCase: false } as const;
    expect(() => search.find({ scope: {}, terms: [wrong], matchesOnly: true })).toThrow(/./);
    expect(search.status?.count).toBe(1);
    expect(shown()).toEqual(['a wifi', 'b']);
  });

  it('forgets the line one stands at when it is cleared', async () => {
    say('a wifi');
    search.find(text('wifi'));
    await finish();
    search.step('next', 0);
    bench.clear();
    await finish();
    expect(search.status).toMatchObject({ count: 0, complete: true, index: null, sequence: null });
  });

  it('finds every match among many lines', async () => {
    for (let line = 0; line < 30_000; line++) {
      bench.notice('info', line % 100 === 0 ? 'wifi' : 'x', null);
    }
    search.find(text('wifi'));
    await finish();
    expect(search.status?.count).toBe(300);
  });
});
