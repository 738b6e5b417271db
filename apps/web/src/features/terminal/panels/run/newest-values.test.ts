import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { NewestValues } from './newest-values.ts';

/** A port that takes as long as the test says. */
function rig() {
  const clock = new VirtualClock();
  const sent: [at: number, value: number][] = [];
  const port = { takes: 0, isOpen: true };
  const values = new NewestValues<number>({
    clock,
    send: async (value) => {
      sent.push([clock.now(), value]);
      if (port.takes > 0) {
        await clock.sleep(port.takes);
      }
      return port.isOpen;
    },
  });
  return { clock, sent, port, values };
}

describe('values of a slider', () => {
  it('are sent at once, and then the newest after each interval', async () => {
    const { clock, sent, values } = rig();
    for (let value = 0; value < 40; value++) {
      values.put(value, 100);
      await clock.advance(10);
    }
    await clock.advance(1_000);
    expect(sent).toEqual([
      [0, 0],
      [100, 9],
      [200, 19],
      [300, 29],
      [400, 39],
    ]);
  });

  it('end with the last one, however short before it another was sent', async () => {
    const { clock, sent, values } = rig();
    values.put(1, 100);
    await clock.advance(1);
    values.put(2, 100);
    await clock.advance(98);
    expect(sent).toEqual([[0, 1]]);
    await clock.advance(1);
    expect(sent).toEqual([
      [0, 1],
      [100, 2],
    ]);
  });

  it('do not stand in line behind a slow port', async () => {
    const { clock, sent, port, values } = rig();
    port.takes = 1_000;
    for (let value = 0; value < 50; value++) {
      values.put(value, 100);
      await clock.advance(50);
    }
    await clock.advance(5_000);
    expect(sent.map(([at]) => at)).toEqual([0, 1_000, 2_000, 3_000]);
    expect(sent.map(([, value]) => value)).toEqual([0, 19, 39, 49]);
  });

  it('are dropped while a port is closed, and sent again afterwards', async () => {
    const { clock, sent, port, values } = rig();
    port.isOpen = false;
    port.takes = 10;
    values.put(1, 100);
    await clock.advance(5);
    values.put(2, 100);
    await clock.advance(1_000);
    expect(sent).toEqual([[0, 1]]);
    port.isOpen = true;
    values.put(3, 100);
    await clock.advance(1_000);
    expect(sent.at(-1)).toEqual([1_005, 3]);
  });
});
