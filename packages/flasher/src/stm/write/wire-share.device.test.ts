/**
 * Duration of a write in virtual time: the wire of the simulated board and the protocol with its acknowledgements,
 * independent of the machine's speed. The limit is the time of all bytes on the wire in both directions in sequence,
 * because each side waits for the other (AN3155). `benchmarks/flashing` measures the same in real time.
 */
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { flashStart } from '../parts/flash-layout.ts';
import { readBlock, writtenBlock } from '../plan/plan-stm.ts';
import { StmRig } from '../testing/stm-rig.ts';

/** Bits on the wire per byte with 8E1. */
const BITS_A_BYTE = 11;
const image = noise(100 * 1_024);
const blocks = image.length / 256;
const regions = [{ offset: flashStart, bytes: image }];

describe('the share of the wire', () => {
  it.each([115_200, 460_800, 921_600])(
    'exceeds nine tenths for a write and its verification at %i baud',
    async (baudRate) => {
      const rig = new StmRig();
      const board = await rig.connect({ baudRate });
      const { duration, sent } = await rig.run(board.write(regions));
      const limit = (blocks * (writtenBlock + readBlock) * BITS_A_BYTE * 1_000) / baudRate;
      expect(limit / duration).toBeGreaterThanOrEqual(0.9);
      // Nothing is sent beyond the protocol's needs, except for the comparison of each sector before.
      expect(sent).toBeLessThan(blocks * (writtenBlock + 9) * 1.06);
    },
  );

  it('exceeds nine tenths for a comparison', async () => {
    const rig = new StmRig({ content: [{ address: flashStart, data: image }] });
    const board = await rig.connect();
    const { duration, written } = await rig.run(board.write(regions));
    expect(written).toBe(0);
    const limit = (blocks * readBlock * BITS_A_BYTE * 1_000) / 115_200;
    expect(limit / duration).toBeGreaterThanOrEqual(0.9);
  });
});
