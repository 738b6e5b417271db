import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { ResetCircuit } from './reset-circuit.ts';

function circuit() {
  const clock = new VirtualClock();
  const events: string[] = [];
  const pins = new ResetCircuit(clock, {
    hold: () => events.push('hold'),
    release: (strap) => events.push(strap),
  });
  const set = (dtr: boolean, rts: boolean) => pins.setLines({ dtr, rts, break: false });
  return { clock, events, set, pins };
}

describe('reset circuit', () => {
  it('leaves the chip alone while both lines are the same, or DTR alone is asserted', async () => {
    const { clock, events, set } = circuit();
    set(true, true);
    set(true, false);
    set(true, true);
    set(false, false);
    await clock.advance(100);
    expect(events).toEqual([]);
  });

  it('holds the chip while RTS alone is asserted, and starts its firmware when that ends', async () => {
    const { clock, events, set } = circuit();
    set(false, true);
    await clock.advance(100);
    expect(events).toEqual(['hold']);
    set(false, false);
    await clock.advance(1);
    expect(events).toEqual(['hold', 'flash']);
  });

  it('starts download mode when IO0 is low as EN has risen, also through a step in which both lines are asserted', async () => {
    const { clock, events, set } = circuit();
    set(false, true);
    await clock.advance(100);
    set(true, true);
    set(true, false);
    await clock.advance(50);
    set(false, false);
    await clock.advance(50);
    expect(events).toEqual(['hold', 'download']);
  });

  it('starts the firmware when IO0 goes low too late', async () => {
    const { clock, events, set } = circuit();
    set(false, true);
    set(false, false);
    await clock.advance(2);
    set(true, false);
    await clock.advance(50);
    expect(events).toEqual(['hold', 'flash']);
  });

  it('starts nothing when EN is pulled low again before it has risen', async () => {
    const { clock, events, set } = circuit();
    set(false, true);
    set(false, false);
    await clock.advance(0.5);
    set(false, true);
    await clock.advance(50);
    expect(events).toEqual(['hold']);
    set(false, false);
    await clock.advance(1);
    expect(events).toEqual(['hold', 'flash']);
  });
});
