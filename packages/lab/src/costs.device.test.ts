/** What a click costs in frames and in time on the wire, on the clock of the simulated board. */
import { describe, expect, it } from 'vitest';
import { scan } from './instruments/i2c-scan.ts';
import { watchPins } from './instruments/pins.ts';
import { busClock, busUp, onBench } from './testing/bench.ts';

const chips = ['esp32', 'esp32c3'] as const;

describe.each(chips)('on %s', (chip) => {
  it.each([
    [115_200, 3_000],
    [921_600, 1_000],
  ])('a scan at %i baud takes less than %i ms and two frames an address', (baudRate, limit) =>
    onBench(
      chip,
      async (bench) => {
        const { lab, run, rig } = bench;
        const [frames, since] = [rig.sent.length, rig.clock.now()];
        await busUp(bench);
        expect((await run(scan(lab, { clock: busClock }))).found).toHaveLength(5);
        expect(rig.clock.now() - since).toBeLessThanOrEqual(limit);
        expect(rig.sent.length - frames).toBeLessThanOrEqual(2 * 112 + 10);
      },
      { opening: { baudRate } },
    ),
  );

  it('live pins come within two seconds of connecting', () =>
    onBench(chip, async ({ lab, run, rig, openedIn }) => {
      const since = rig.clock.now();
      await run(lab.run(watchPins(lab.chip)));
      expect(openedIn + rig.clock.now() - since).toBeLessThanOrEqual(2_000);
    }));
});
