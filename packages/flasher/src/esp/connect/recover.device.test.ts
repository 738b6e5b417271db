/**
 * Faults that persist after one retry, on boards that control lines reset and on boards that a person holds in their
 * bootloader.
 */
import type { EspFault } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitIntoRegions } from '../../core/region.ts';
import { noise } from '../../testing/program.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const regions = splitIntoRegions(0x1_0000, noise(20_000));

interface DamagedWrites {
  readonly entry: 'automatic' | 'buttons';
  readonly stub: boolean;
  /** Number of first writes in which the flash stores a wrong bit. */
  readonly damaged: number;
}

/** Returns a connected board whose first `damaged` writes fail, while it keeps answering. */
async function connected({ entry, stub, damaged }: DamagedWrites) {
  const rig = new EspRig({ chip: 'esp32c3', ...(entry === 'buttons' && { powerUp: 'download' }) });
  const board = await rig.connect({ entry, stub });
  const { flash } = rig.device as unknown as {
    flash: { program(at: number, offset: number, data: Uint8Array): void };
  };
  const program = flash.program.bind(flash);
  let left = damaged;
  flash.program = (at, offset, data) => {
    const isFirst = offset === regions[0]?.offset;
    program(at, offset, isFirst && left-- > 0 ? data.with(7, (data[7] ?? 0) ^ 1) : data);
  };
  return { rig, board };
}

describe.each([
  { entry: 'automatic', stub: true },
  { entry: 'buttons', stub: true },
  { entry: 'automatic', stub: false },
  { entry: 'buttons', stub: false },
] as const)('a board that answers while its flash takes wrong bits, $entry, stub $stub', (way) => {
  it('is written a third time', async () => {
    const { rig, board } = await connected({ ...way, damaged: 2 });
    expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete', repeated: 2 });
  });

  it('is given up after the third time', async () => {
    const { rig, board } = await connected({ ...way, damaged: Number.POSITIVE_INFINITY });
    await expect(rig.run(board.write(regions))).rejects.toMatchObject({ code: 'md5-mismatch', state: 'incomplete' });
    expect(rig.notices.filter(({ kind }) => kind === 'region-repeated').length).toBe(2);
  });
});

describe.each(['automatic', 'buttons'] as const)('a connection, %s', (entry) => {
  it.each(['security-info', 'read-reg', 'mem-data', 'spi-attach', 'spi-set-params'] as const)(
    'is tried again after an answer that was lost at %s',
    async (at) => {
      const faults: EspFault[] = [{ at, kind: 'drop-answer' }];
      const rig = new EspRig({ chip: 'esp32c3', faults, ...(entry === 'buttons' && { powerUp: 'download' }) });
      const board = await rig.connect({ entry });
      expect(board.runsStub).toBe(true);
      expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete' });
    },
  );
});
