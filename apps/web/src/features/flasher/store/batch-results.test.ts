import { describe, expect, it } from 'vitest';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { commonFailure } from '../state/failure-from.ts';
import { type FlashState, initialFlash } from '../state/flash-state.ts';
import { testBoard, testPlan } from '../testing/families.ts';
import { type BatchResult, withResult } from './batch-results.ts';

const failure = { ...commonFailure('unplugged'), during: 'writing', interrupted: true } as const;
const flash = (part: Partial<FlashState>): FlashState => ({ ...initialFlash, board: testBoard(), ...part });
const name = 'ESP32 24:0a:c4:00:01:10';
const after = (...flashes: readonly FlashState[]) =>
  flashes.reduce<readonly BatchResult[]>((all, one) => withResult(all, 2, one), []);

describe('results of a bench', () => {
  it('name a board that failed, and why', () => {
    expect(after(flash({ phase: 'failed', failure }))).toEqual([
      { board: name, outcome: 'failed', why: failure.message, visit: null },
    ]);
  });

  it('count a board once that failed and was done the second time', () => {
    const other = flash({ phase: 'done', board: testBoard({ id: '24:0a:c4:00:01:11' }) });
    expect(after(flash({ phase: 'failed', failure }), other, flash({ phase: 'done' }))).toEqual([
      { board: name, outcome: 'done', why: null, visit: null },
      { board: 'ESP32 24:0a:c4:00:01:11', outcome: 'done', why: null, visit: null },
    ]);
  });

  it('do not call a board verified that cannot report what arrived', () => {
    const report = testReport({ state: 'unverified' });
    expect(after(flash({ phase: 'done', report }))).toMatchObject([{ outcome: 'unverified' }]);
  });

  it('name a board whose plan the newest files have changed', () => {
    const waiting = flash({ phase: 'planned', plan: testPlan, held: true });
    expect(after(waiting)).toMatchObject([{ outcome: 'waiting', why: expect.stringContaining('needs a decision') }]);
    expect(after({ ...waiting, held: false })).toEqual([]);
  });

  it('name a board whose files the write takes', () => {
    const waiting = flash({ phase: 'planned', plan: testPlan, held: true, heldText: 'It takes files.' });
    const why = 'It takes files.';
    expect(after(waiting)).toMatchObject([{ outcome: 'waiting', why }]);
  });

  it('call a board by its place until it reports its name', () => {
    const nameless = flash({ phase: 'failed', failure, board: null });
    expect(after(nameless)).toMatchObject([{ board: 'Board 2' }]);
    expect(after(nameless, flash({ phase: 'done', source: { kind: 'same' } }))).toMatchObject([{ board: name }]);
    // It is unknown whether the next board at that place is the one that failed there.
    expect(after(nameless, flash({ phase: 'done', source: { kind: 'demo' } }))).toHaveLength(2);
  });

  it('count boards without an id each time they are plugged in, and once if they are connected again', () => {
    const plugged = (part: Partial<FlashState> = {}) =>
      flash({ phase: 'done', board: testBoard({ id: null }), source: { kind: 'demo' }, ...part });
    const [first, second] = [plugged(), plugged()];
    expect(after(first, second)).toMatchObject([
      { board: 'ESP32', outcome: 'done' },
      { board: 'ESP32', outcome: 'done' },
    ]);
    const interrupted = plugged({ phase: 'failed', failure });
    expect(after(first, interrupted, plugged({ source: { kind: 'same' } }))).toMatchObject([
      { outcome: 'done' },
      { outcome: 'done' },
    ]);
    // The board waited, and is written without being plugged in again.
    expect(after(first, interrupted, { ...interrupted, phase: 'done' })).toMatchObject([
      { outcome: 'done' },
      { outcome: 'done' },
    ]);
    // Another place has another board.
    const elsewhere = withResult(after(first, interrupted), 3, plugged({ source: { kind: 'same' } }));
    expect(elsewhere).toMatchObject([{ outcome: 'done' }, { outcome: 'failed' }, { outcome: 'done' }]);
  });

  it('say what a refused plan waits for, and nothing of a board on its way or stopped by hand', () => {
    const finding = { code: 'wrong-chip', files: [], what: 'It is for another chip.', remedy: '', overridable: true };
    const plan = { refusals: [finding], overridden: [], warnings: [], eraseAll: false, regions: [], map: [] };
    const planned = { ...plan, toWrite: 0, same: 0, duration: 0 };
    expect(after(flash({ phase: 'planned', plan: planned }))).toMatchObject([
      { outcome: 'waiting', why: 'It is for another chip.' },
    ]);
    const allowed = { ...planned, refusals: [] };
    expect(after(flash({ phase: 'planned', plan: allowed }), flash({ phase: 'writing' }))).toEqual([]);
    expect(after(flash({ phase: 'cancelled' }))).toEqual([]);
  });
});
