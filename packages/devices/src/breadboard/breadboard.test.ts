import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { Breadboard } from './breadboard.ts';
import { labBreadboard } from './lab-breadboard.ts';

describe('a breadboard', () => {
  it('lets the stronger one win: a wire over an output over a resistor', () => {
    const board = new Breadboard();
    const level = () => board.net(1).level(board.now);
    expect(level()).toBe(0);
    board.pullUp(1);
    expect(level()).toBe(1);
    board.hold(1, 'low');
    expect(level()).toBe(0);
    board.shortToSupply(1);
    expect(level()).toBe(1);
    board.open(1);
    expect(level()).toBe(1);
  });

  it('joins two nets by a wire until that is taken away', () => {
    const board = new Breadboard();
    board.short(1, 2);
    board.hold(2, 'high');
    expect(board.net(1).level(board.now)).toBe(1);
    board.open(1);
    expect(board.net(1).level(board.now)).toBe(0);
    expect(board.net(2).level(board.now)).toBe(1);
  });

  it('captures the edges of a pin with their times and drops the oldest beyond the limit', async () => {
    const board = labBreadboard('esp32');
    const clock = new VirtualClock(5_000);
    board.powerUp(clock);
    board.hold(27, 'high');
    const capture = board.capture(27, 3);
    for (const pressed of [true, false, true, false]) {
      await clock.advance(10);
      board.button.press(pressed);
    }
    expect(capture.edges()).toEqual([
      { time: 20, level: 1 },
      { time: 30, level: 0 },
      { time: 40, level: 1 },
    ]);
    expect([capture.dropped, capture.before]).toEqual([1, 0]);
    capture.stop();
    board.button.press();
    expect(capture.edges()).toHaveLength(3);
  });

  it('stops the potentiometer at its ends', () => {
    const board = labBreadboard('esp32');
    board.potentiometer.turn(7);
    expect(board.net(34).volts(board.now)).toBeCloseTo(3.3, 5);
    board.potentiometer.turn(-1);
    expect(board.potentiometer.position).toBe(0);
  });
});
