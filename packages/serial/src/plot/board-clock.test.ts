import { describe, expect, it } from 'vitest';
import { BoardClock } from './board-clock.ts';

const arrival = Date.UTC(2026, 10, 20, 13);

/** Returns where counts are placed, each with the milliseconds after the first at which its line came; null: unknown. */
function placed(...lines: readonly (readonly [number | null, number])[]): readonly number[] {
  const clock = new BoardClock();
  return lines.map(([after, count], index) => {
    clock.take(count, after === null ? Number.NaN : arrival + after, index);
    return clock.placeOf(count) - (after === null ? 0 : arrival);
  });
}

describe('time of a board', () => {
  it('is itself if it counts from 1970, whenever it arrives', () => {
    expect(placed([null, 1_627_551_892_437])).toEqual([1_627_551_892_437]);
    expect(placed([5, arrival - 86_400_000])).toEqual([-86_400_000]);
  });

  it('has the distances of the board, from the arrival of the first on', () => {
    expect(placed([0, 7_000], [40, 7_010], [41, 7_020])).toEqual([0, 10, 20]);
    expect(placed([0, 7_000], [1, 6_900], [2, 7_010])).toEqual([0, -100, 10]);
  });

  it('is placed again once it begins again, or is a minute from its arrival', () => {
    expect(placed([0, 7_000], [50, 10], [60, 20])).toEqual([0, 50, 60]);
    expect(placed([0, 7_000], [59_000, 7_001], [60_003, 7_002], [60_004, 7_003])).toEqual([0, 1, 60_003, 60_004]);
  });

  it('goes on behind the last one in a log without times', () => {
    expect(placed([null, 7_000], [null, 9_000], [null, 5])).toEqual([0, 2_000, 2_000]);
  });

  it('is placed by its arrival after the board has said that it starts', () => {
    const clock = new BoardClock();
    clock.take(500, arrival, 0);
    clock.restart();
    clock.take(100, arrival + 50, 0);
    expect(clock.placeOf(100)).toBe(arrival + 50);
  });
});
