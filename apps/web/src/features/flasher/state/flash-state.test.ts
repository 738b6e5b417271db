import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { testBoard, testPlan } from '../testing/families.ts';
import { type FlashAction, type FlashState, flashReducer, initialFlash, isWriting } from './flash-state.ts';

const board = testBoard();
const plan = testPlan;
const refused: PlanFacts = {
  ...plan,
  refusals: [
    {
      code: 'wrong-chip',
      what: 'app.bin was built for ESP32-S3.',
      remedy: 'Choose firmware for this board.',
      files: ['app.bin'],
      overridable: false,
    },
  ],
};
const report = testReport({
  regions: [{ offset: 0x10000, length: 0x1000, outcome: 'verified', proof: { kind: 'md5', value: '0'.repeat(32) } }],
});
const failure = (code: string, state: 'unchanged' | 'erased' | 'incomplete' = 'unchanged') => ({
  code,
  message: code,
  detail: null,
  state,
});
const source = { kind: 'demo' } as const;

const run = (...actions: FlashAction[]): FlashState => actions.reduce(flashReducer, initialFlash);
const toPlanned: FlashAction[] = [
  { type: 'connect', source },
  { type: 'step', step: 'identifying' },
  { type: 'connected', board },
  { type: 'plan' },
  { type: 'planned', plan },
];

describe('flash progress', () => {
  it('ends in the bootloader if the board is to stay there, from where it is restarted or lost', () => {
    const stays = run(...toPlanned, { type: 'write' }, { type: 'written', report }, { type: 'stays' });
    expect(stays).toMatchObject({ phase: 'done', holdsPort: true, report });
    expect(flashReducer(stays, { type: 'gone', failure: failure('unplugged') })).toMatchObject({
      phase: 'done',
      holdsPort: false,
    });
    expect(flashReducer(stays, { type: 'release' }).phase).toBe('releasing');
    const restarted = run(
      ...toPlanned,
      { type: 'write' },
      { type: 'written', report },
      { type: 'restarted', byHand: false },
    );
    expect(flashReducer(restarted, { type: 'release' })).toBe(restarted);
    expect(flashReducer(restarted, { type: 'gone', failure: failure('unplugged') })).toBe(restarted);
  });

  it('goes from a board over a plan to a receipt', () => {
    const phases: string[] = [];
    [
      ...toPlanned,
      { type: 'write' } as const,
      { type: 'written', report } as const,
      { type: 'restarted', byHand: false } as const,
    ].reduce((state, action) => {
      const next = flashReducer(state, action);
      phases.push(next.phase);
      return next;
    }, initialFlash);
    expect(phases).toEqual([
      'connecting',
      'connecting',
      'detected',
      'planning',
      'planned',
      'writing',
      'restarting',
      'done',
    ]);
  });

  it('writes nothing that the plan refuses', () => {
    const state = run(...toPlanned.slice(0, -1), { type: 'planned', plan: refused }, { type: 'write' });
    expect(state.phase).toBe('planned');
  });

  it('writes nothing without a plan, or by one that files have outdated', () => {
    expect(run({ type: 'connect', source }, { type: 'connected', board }, { type: 'write' }).phase).toBe('detected');
    expect(run(...toPlanned, { type: 'plan-outdated' }, { type: 'write' })).toMatchObject({
      phase: 'detected',
      plan: null,
    });
  });

  it('a cancel that came too late for one phase does not stop, or say that it stops, the next', () => {
    const late = run(...toPlanned.slice(0, -1), { type: 'cancel' }, { type: 'planned', plan });
    expect(late).toMatchObject({ phase: 'planned', cancelling: false });
    expect(flashReducer(late, { type: 'write' })).toMatchObject({ phase: 'writing', cancelling: false });
    expect(run({ type: 'connect', source }, { type: 'cancel' }, { type: 'connected', board }).cancelling).toBe(false);
  });

  it('a board that is restarted without a write is busy until it has restarted', () => {
    const restarting = run(...toPlanned, { type: 'release' });
    expect(restarting.phase).toBe('releasing');
    expect(flashReducer(restarting, { type: 'write' })).toBe(restarting);
    expect(flashReducer(restarting, { type: 'cancel' })).toBe(restarting);
    expect(flashReducer(restarting, { type: 'released' })).toMatchObject({ phase: 'running', plan: null });
    expect(flashReducer(restarting, { type: 'failed', failure: failure('unplugged') })).toMatchObject({
      phase: 'failed',
      failure: { during: 'releasing', interrupted: false },
    });
  });

  it('stays cancelled when an answer that was on its way comes late', () => {
    const cancelled = run(
      ...toPlanned,
      { type: 'write' },
      { type: 'cancel' },
      { type: 'failed', failure: failure('cancelled', 'incomplete') },
    );
    expect(cancelled).toMatchObject({ phase: 'cancelled', failure: { state: 'incomplete', during: 'writing' } });
    expect(flashReducer(cancelled, { type: 'written', report })).toBe(cancelled);
    expect(flashReducer(cancelled, { type: 'write-event', event: { type: 'compared', same: 0, toWrite: 1 } })).toBe(
      cancelled,
    );
  });

  it('remembers the board after a fault so that the write can resume', () => {
    const state = run(...toPlanned, { type: 'write' }, { type: 'failed', failure: failure('unplugged', 'incomplete') });
    expect(state).toMatchObject({ phase: 'failed', board, failure: { during: 'writing' } });
    expect(flashReducer(state, { type: 'connect', source: { kind: 'same' } })).toMatchObject({
      phase: 'connecting',
      board,
      failure: null,
      plan: null,
    });
  });

  it('remembers an interrupted write when the next connect fails, too', () => {
    const state = run(
      ...toPlanned,
      { type: 'write' },
      { type: 'failed', failure: failure('unplugged', 'incomplete') },
      { type: 'connect', source: { kind: 'same' } },
      { type: 'failed', failure: failure('port-gone') },
    );
    expect(state.failure).toMatchObject({ code: 'port-gone', state: 'incomplete', interrupted: true });
    const other = flashReducer(state, { type: 'connect', source });
    expect(flashReducer(other, { type: 'failed', failure: failure('port-gone') }).failure).toMatchObject({
      state: 'unchanged',
      interrupted: false,
    });
  });

  it('notices that a board is gone while nothing is done with it', () => {
    expect(run(...toPlanned, { type: 'gone', failure: failure('unplugged') }).phase).toBe('failed');
    const writing = run(...toPlanned, { type: 'write' });
    expect(flashReducer(writing, { type: 'gone', failure: failure('unplugged') })).toBe(writing);
  });

  it('counts a region once, though it was written twice', () => {
    const region = {
      type: 'region',
      offset: 0x10000,
      length: 0x1000,
      outcome: 'verified',
      proof: { kind: 'md5', value: 'a' },
    } as const;
    const state = run(
      ...toPlanned,
      { type: 'write' },
      { type: 'write-event', event: region },
      { type: 'write-event', event: { ...region, proof: { kind: 'md5', value: 'b' } } },
    );
    expect(state.regions).toEqual([
      { offset: 0x10000, length: 0x1000, outcome: 'verified', proof: { kind: 'md5', value: 'b' } },
    ]);
  });

  describe('after a write', () => {
    const toDone: FlashAction[] = [
      ...toPlanned,
      { type: 'write' },
      { type: 'written', report },
      { type: 'restarted', byHand: false },
    ];
    const startObservation = { verdict: { kind: 'app', project: 'demo', version: '1.0' }, waited: false } as const;

    it('takes its result down when other files or settings are chosen', () => {
      const state = run(...toDone, { type: 'start-observed', startObservation });
      expect(state).toMatchObject({ phase: 'done', startObservation });
      expect(flashReducer(state, { type: 'plan-outdated' })).toMatchObject({
        phase: 'running',
        board,
        report: null,
        plan: null,
        regions: [],
        startObservation: null,
      });
    });

    it('claims nothing of the program before the monitor has heard it, nor after the next write has begun', () => {
      expect(run(...toDone).startObservation).toBeNull();
      const again = run(...toDone, { type: 'start-observed', startObservation }, ...toPlanned, { type: 'write' });
      expect(again.startObservation).toBeNull();
      expect(flashReducer(again, { type: 'start-observed', startObservation })).toBe(again);
    });

    it('stands at 100 %, though the last event came before the last byte', () => {
      const progress = { type: 'progress', phase: 'writing', done: 93, total: 100, speed: 1, remaining: 7 } as const;
      const state = run(
        ...toPlanned,
        { type: 'write' },
        { type: 'write-event', event: progress },
        { type: 'written', report },
      );
      expect(state).toMatchObject({ phase: 'restarting', progress: { done: 100, total: 100, remaining: 0 } });
    });
  });

  describe('regions that were written before an unplug', () => {
    const region = { type: 'region', offset: 0x10000, length: 0x800, outcome: 'verified', proof: null } as const;
    const unplugged: FlashAction[] = [
      ...toPlanned,
      { type: 'write' },
      { type: 'write-event', event: region },
      { type: 'failed', failure: failure('unplugged', 'incomplete') },
    ];

    it('are kept while the same board reconnects, until it is written again', () => {
      const back = run(...unplugged, { type: 'connect', source: { kind: 'same' } }, { type: 'connected', board });
      expect(back.regions).toHaveLength(1);
      const writing = [{ type: 'plan' }, { type: 'planned', plan }, { type: 'write' }] as const;
      expect(writing.reduce(flashReducer, back).regions).toEqual([]);
    });

    it('are dropped with other files, with another board, and after an erase', () => {
      expect(run(...unplugged, { type: 'plan-outdated' })).toMatchObject({ phase: 'failed', regions: [], plan: null });
      expect(run(...unplugged, { type: 'connect', source }).regions).toEqual([]);
      const erased = [
        { type: 'connect', source: { kind: 'same' } },
        { type: 'connected', board },
        { type: 'work', kind: 'erase', label: 'Erasing' },
        { type: 'worked', board: null },
      ] as const;
      expect(erased.reduce<FlashState>(flashReducer, run(...unplugged)).regions).toEqual([]);
    });
  });

  describe('a board that was erased and not written again', () => {
    const erased: FlashAction[] = [
      ...toPlanned,
      { type: 'work', kind: 'erase', label: 'Erasing' },
      { type: 'worked', board: null },
    ];

    it('is not said to be unchanged when it is unplugged, and has no rest to write', () => {
      const state = run(...erased, { type: 'gone', failure: failure('unplugged') });
      expect(state).toMatchObject({ interrupted: false, failure: { state: 'erased', interrupted: false } });
      const early = run(
        ...erased,
        { type: 'plan' },
        { type: 'planned', plan },
        { type: 'write' },
        { type: 'failed', failure: failure('unplugged') },
      );
      expect(early).toMatchObject({ interrupted: false, failure: { state: 'erased' } });
    });

    it('is still erased when it is connected again, also where the erase itself was interrupted', () => {
      const again: FlashAction[] = [
        { type: 'connect', source: { kind: 'same' } },
        { type: 'failed', failure: failure('no-answer') },
      ];
      const cut: FlashAction[] = [
        ...toPlanned,
        { type: 'work', kind: 'erase', label: 'Erasing' },
        { type: 'failed', failure: failure('unplugged', 'erased') },
      ];
      expect(run(...cut).failure?.state).toBe('erased');
      expect(run(...cut, ...again).failure?.state).toBe('erased');
      expect(run(...erased, { type: 'gone', failure: failure('unplugged') }, ...again).failure?.state).toBe('erased');
    });

    it('is unchanged where the erase was refused before it began, as the board says', () => {
      const refused: FlashAction[] = [
        ...toPlanned,
        { type: 'work', kind: 'erase', label: 'Erasing' },
        { type: 'failed', failure: failure('not-in-rom') },
      ];
      expect(run(...refused)).toMatchObject({ erased: false, failure: { state: 'unchanged' } });
    });

    it('is unchanged again once it was written, or when only something was read', () => {
      const writing: FlashAction[] = [{ type: 'plan' }, { type: 'planned', plan }, { type: 'write' }];
      expect(run(...erased, ...writing, { type: 'written', report }).erased).toBe(false);
      const read = run(
        ...toPlanned,
        { type: 'work', kind: 'read', label: 'Reading' },
        { type: 'worked', board: null },
        { type: 'gone', failure: failure('unplugged') },
      );
      expect(read.failure?.state).toBe('unchanged');
    });
  });

  it('never ends in success without a report, nor writes without a plan, whatever happens in whatever order', () => {
    const actions: FlashAction[] = [
      ...toPlanned,
      { type: 'planned', plan: refused },
      { type: 'write' },
      { type: 'write-event', event: { type: 'compared', same: 0, toWrite: 1 } },
      { type: 'written', report },
      { type: 'restarted', byHand: false },
      { type: 'start-observed', startObservation: { verdict: { kind: 'silence' }, waited: true } },
      { type: 'work', kind: 'erase', label: 'Erasing' },
      { type: 'work-progress', done: 1, total: 2, at: 0 },
      { type: 'worked', board: null },
      { type: 'cancel' },
      { type: 'failed', failure: failure('md5-mismatch', 'incomplete') },
      { type: 'failed', failure: failure('cancelled', 'incomplete') },
      { type: 'gone', failure: failure('unplugged') },
      { type: 'plan-outdated' },
      { type: 'released' },
      { type: 'closed' },
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...actions), { maxLength: 60 }), (order) => {
        let state = initialFlash;
        for (const action of order) {
          state = flashReducer(state, action);
          expect(state.phase === 'done' && state.report === null).toBe(false);
          expect(state.phase === 'failed' && state.failure === null).toBe(false);
          expect(isWriting(state) && state.board === null).toBe(false);
          expect(state.startObservation !== null && state.phase !== 'done').toBe(false);
          if (state.phase === 'writing') {
            expect(action.type === 'write' ? state.plan?.refusals : []).toEqual([]);
          }
        }
      }),
    );
  });
});
