import { linesOff, linesRaised } from '@wirebench/serial/port';
import { describe, expect, it } from 'vitest';
import { CallTime, type LineChange, stepsOf } from './line-changes.ts';

type Call = readonly ['D' | 'R', 0 | 1] | readonly ['wait', number];

/** What arrives of a program that changes lines and waits: each change takes the client `call` milliseconds. */
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

/** esptool's `ClassicReset`: `_setRTS` sets DTR again as it is (reset.py). */
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
    ['pySerial on a busy machine', 57],
    ['pySerial with ign_set_control', 100],
    ['a client that waits for no answer', 0.4],
  ])('of a reset are the sequence that was meant: %s', (_name, call) => {
    expect(stepsOf(linesRaised, arrivals(classic, call), call, true)).toEqual(intoBootloader);
  });

  it('keep their pauses when single calls take longer than usual', () => {
    const late = arrivals(classic, 50).map((change, index) => ({ ...change, at: change.at + index * 6 }));
    const steps = stepsOf(linesRaised, late, 50, true);
    expect(steps.map(([dtr, rts]) => [dtr, rts])).toEqual(intoBootloader.map(([dtr, rts]) => [dtr, rts]));
    expect(steps[0]?.[2]).toBeGreaterThanOrEqual(100);
    expect(steps[1]?.[2]).toBeGreaterThanOrEqual(50);
  });

  it('of a restart hold EN for as long as was meant', () => {
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

  it('that lower both lines stay in the order in which the client lowers them: RTS alone is a reset', () => {
    const lowered = (first: 'D' | 'R', second: 'D' | 'R') =>
      stepsOf(linesRaised, arrivals([[first, 0], [second, 0]], 50), 50, true);
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

  it('of one line stay a pulse, however short', () => {
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

  it('that change nothing are nothing', () => {
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
  it('is the shortest one between calls of which one is no change of a line', () => {
    const calls = new CallTime();
    // pySerial opens: flow control, RTS, DTR, both purges.
    for (const [at, isLine] of [
      [0, false],
      [52, true],
      [103, true],
      [156, false],
      [207, false],
    ] as const) {
      calls.called(at, isLine);
    }
    expect(calls.time).toBe(51);
  });

  it('is not taken from changes of lines alone, whose pauses may be meant', () => {
    const calls = new CallTime();
    calls.called(0, true);
    calls.called(50, true);
    expect(calls.time).toBe(0);
  });

  it('is not known where something else came between, or a person', () => {
    const calls = new CallTime();
    calls.called(0, false);
    calls.interrupted();
    calls.called(50, false);
    calls.called(1_050, false);
    expect(calls.time).toBe(0);
  });
});
