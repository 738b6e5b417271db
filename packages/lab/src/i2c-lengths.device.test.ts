/**
 * I2C transfers of every length at every clock of the bus, over a slow and a fast link: the lab waits for each and
 * returns the right bytes.
 */
import { describe, expect, it } from 'vitest';
import { i2cTransfer, i2cUp } from './instruments/i2c.ts';
import { type Bench, onBench } from './testing/bench.ts';

const eeprom = 0x50;
const bme280 = 0x76;
/** Milliseconds during which the 24C32 writes and does not answer. */
const writeCycle = 6;

describe.each(['esp32', 'esp32c3'] as const)('transfers on %s', (chip) => {
  describe.each([115_200, 921_600])('over a link of %i baud', (baudRate) => {
    it.each([10_000, 100_000, 400_000])('end as present, with the right bytes, on a bus of %i Hz', (clock) =>
      onBench(
        chip,
        async (bench) => {
          const { lab, board, rig, run } = bench;
          expect(lab.baudRate).toBe(baudRate);
          const { sda, scl } = board.pins;
          await run(lab.run(i2cUp(lab.chip, { sda, scl, clock })));
          const transfer = transferOn(bench, clock);
          expect(await transfer(bme280, [0xd0], 1)).toEqual([0x60]);
          expect(await transfer(bme280, [0xf4, 0x27], 0)).toEqual([]);
          expect(await transfer(bme280, [0xf4], 1)).toEqual([0x27]);
          expect(await transfer(eeprom, [0x01, 0x00, 0xa5], 0)).toEqual([]);
          await rig.clock.advance(writeCycle);
          expect(await transfer(eeprom, [0x01, 0x00], 0)).toEqual([]);
          const held = [...board.eeprom.content.subarray(0x100, 0x11f)];
          expect(held[0]).toBe(0xa5);
          expect(await transfer(eeprom, [], 31)).toEqual(held);
        },
        { opening: { baudRate }, pace: 'wire' },
      ),
    );
  });
});

/**
 * Transfers bytes.
 *
 * @returns The bytes read, or the answer if it is not `present`.
 */
const transferOn =
  ({ lab, run }: Bench, clock: number) =>
  async (address: number, write: readonly number[], read: number) => {
    const macro = i2cTransfer(lab.chip, { address, write: Uint8Array.from(write), read, clock });
    const result = await run(lab.run(macro));
    return result.answer === 'present' ? [...result.read] : result.answer;
  };
