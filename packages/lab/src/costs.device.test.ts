/** Cost of a click in frames and in time on the wire, on the clock of the simulated board. */
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

  // A READ_REG and its answer are 14 bytes each, 140 bits in all. This limits the reads a second of every link.
  it.each([
    [115_200, { room: 823, used: 0.9 }],
    [921_600, { room: 6_583, used: 0.75 }],
  ] as const)('pins watched at %i baud use most of the room of the wire', (baudRate, { room, used }) =>
    onBench(
      chip,
      async ({ lab, run, rig }) => {
        const before = rig.traffic.length;
        await run(Promise.all(Array.from({ length: 1_000 }, () => lab.run(watchPins(lab.chip)))));
        const answers = rig.traffic.slice(before).flatMap((event) => (event.kind === 'received' ? [event.at] : []));
        const seconds = ((answers.at(-1) ?? 0) - (answers[0] ?? 0)) / 1_000;
        const perSecond = (answers.length - 1) / seconds;
        expect(answers.length).toBeGreaterThanOrEqual(1_000 * lab.chip.gpio.banks.length);
        expect(perSecond).toBeLessThanOrEqual(room);
        expect(perSecond).toBeGreaterThanOrEqual(room * used);
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
