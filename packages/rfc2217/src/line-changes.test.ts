import { linesOff, linesRaised } from '@wirebench/port';
import { describe, expect, it } from 'vitest';
import { type CallKind, CallTime, type LineChange, stepsOf } from './line-changes.ts';

type Call = readonly ['D' | 'R', 0 | 1] | readonly ['wait', number];

/**
 * Returns the changes as they arrive from a program that changes lines and waits. Each change takes the client `call`
 * milliseconds.
 */
function arrivals(calls: readonly Call[], call: number): LineChange[] {
  let now = 1_000;
  const changes: LineChange[] = [];
  for (const [what, value] of calls) {
    if (what === 'wait') {
      now += value;
    } else {
      changes.push({ line: what === 'D' ? 'dtr' : 'rts', on: value === 1, at: now });
      now += call;
    }
  }
  return changes;
}

/** Calls of esptool's `ClassicReset`: `_setRTS` sets DTR again without a change (reset.py). */
const classic: readonly Call[] = [
  ['D', 0],
  ['R', 1],
  ['D', 0],
  ['wait', 100],
  ['D', 1],
  ['R', 0],
  ['D', 1],
  ['wait', 50],
  ['D', 0],
];
const intoBootloader = [
  [false, true, 100],
  [true, false, 50],
  [false, false, 0],
];

describe('changes of control lines', () => {
  it.each([
    ['pySerial', 50],
    ['pySerial with ign_set_control', 100],
    ['a client that waits for no answer', 0.4],
  ])('become the reset sequence of the client: %s', (_name, call) => {
    expect(stepsOf(linesRaised, arrivals(classic, call), call, true)).toEqual(intoBootloader);
  });

  it.each([6, 25])('keep their pauses when each call takes %i ms longer than usual', (more) => {
    const late = arrivals(classic, 50).map((change, index) => ({ ...change, at: change.at + index * more }));
    const steps = stepsOf(linesRaised, late, 50, true);
    expect(steps.map(([dtr, rts]) => [dtr, rts])).toEqual(intoBootloader.map(([dtr, rts]) => [dtr, rts]));
    expect(steps[0]?.[2]).toBeGreaterThanOrEqual(100);
    expect(steps[1]?.[2]).toBeGreaterThanOrEqual(50);
  });

  it('hold EN as long as the client’s restart does', () => {
    const calls: readonly Call[] = [
      ['R', 1],
      ['D', 0],
      ['wait', 100],
      ['R', 0],
      ['D', 0],
    ];
    expect(stepsOf(linesOff, arrivals(calls, 50), 50, true)).toEqual([
      [false, true, 100],
      [false, false, 0],
    ]);
  });

  it('lower both lines in the order of the client: RTS alone is a reset', () => {
    const lowered = (first: 'D' | 'R', second: 'D' | 'R') =>
      stepsOf(
        linesRaised,
        arrivals(
          [
            [first, 0],
            [second, 0],
          ],
          50,
        ),
        50,
        true,
      );
    expect(lowered('R', 'D')).toEqual([
      [true, false, 0],
      [false, false, 0],
    ]);
    expect(lowered('D', 'R')).toEqual([
      [false, true, 0],
      [false, false, 0],
    ]);
  });

  it('stay one by one for a chip with a USB port of its own', () => {
    const calls: readonly Call[] = [
      ['R', 0],
      ['D', 0],
      ['wait', 100],
      ['D', 1],
      ['R', 0],
      ['wait', 100],
      ['R', 1],
      ['D', 0],
      ['R', 1],
      ['wait', 100],
      ['D', 0],
      ['R', 0],
    ];
    expect(stepsOf(linesRaised, arrivals(calls, 50), 50, false)).toEqual([
      [true, false, 0],
      [false, false, 100],
      [true, false, 100],
      [true, true, 0],
      [false, true, 100],
      [false, false, 0],
    ]);
  });

  it('keep a pulse of one line, however short', () => {
    const calls: readonly Call[] = [
      ['D', 1],
      ['D', 0],
      ['D', 1],
    ];
    expect(stepsOf(linesOff, arrivals(calls, 0), 0, true)).toEqual([
      [true, false, 0],
      [false, false, 0],
      [true, false, 0],
    ]);
  });

  it('are dropped when they change nothing', () => {
    expect(
      stepsOf(
        linesRaised,
        arrivals(
          [
            ['D', 1],
            ['wait', 100],
            ['R', 1],
          ],
          50,
        ),
        50,
        true,
      ),
    ).toEqual([]);
  });
});

describe('the time that a client takes for a call', () => {
  type TimedCalls = readonly (readonly [at: number, kind: CallKind])[];

  function timeOf(calls: TimedCalls): number {
    const time = new CallTime();
    for (const [at, kind] of calls) {
      time.called(at, kind);
    }
    return time.time;
  }

  it('is known when pySerial has opened a port: flow control, RTS, DTR, both purges', () => {
    const calls: TimedCalls = [
      [0, 'control'],
      [52, 'line'],
      [103, 'line'],
      [156, 'purge'],
      [207, 'purge'],
    ];
    expect(timeOf(calls)).toBe(50);
  });

  it('is known with ign_set_control, which does not wait for changes and waits for purges', () => {
    const calls: TimedCalls = [
      [0, 'control'],
      [101, 'line'],
      [202, 'line'],
      [303, 'purge'],
      [354, 'purge'],
    ];
    expect(timeOf(calls)).toBe(100);
  });

  it('is known on a busy machine, where one call seems short and the next one long', () => {
    const calls: TimedCalls = [
      [0, 'control'],
      [11, 'line'],
      [103, 'line'],
      [196, 'purge'],
      [207, 'purge'],
    ];
    expect(timeOf(calls)).toBe(50);
  });

  it('is nothing for a client that waits for no answer', () => {
    const calls: TimedCalls = [
      [0, 'control'],
      [0.4, 'line'],
      [0.9, 'line'],
      [1.2, 'purge'],
    ];
    expect(timeOf(calls)).toBe(0);
  });

  it('is not taken from changes of lines alone, whose pauses may be meant', () => {
    const calls: TimedCalls = [
      [0, 'line'],
      [50, 'line'],
      [150, 'line'],
    ];
    expect(timeOf(calls)).toBe(0);
  });

  it('is not taken from a client that waits for a person', () => {
    const calls: TimedCalls = [
      [0, 'control'],
      [900, 'line'],
    ];
    expect(timeOf(calls)).toBe(0);
  });

  it('is not taken across something else', () => {
    const time = new CallTime();
    time.called(0, 'control');
    time.interrupted();
    time.called(50, 'line');
    expect(time.time).toBe(0);
  });
});
