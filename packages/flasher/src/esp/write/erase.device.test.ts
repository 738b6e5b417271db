/** State that the client reports for a board after an erase that did not finish or that was followed by a failure. */
import { beforeAll, describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const range = { offset: 0x1_0000, length: 0x8_0000 };
const regions = [{ offset: 0x1_0000, bytes: noise(0x3000) }];

const erases: readonly (readonly [string, (board: EspBoard, signal: AbortSignal) => Promise<void>])[] = [
  ['all of the flash', (board, signal) => board.eraseAll({ signal })],
  ['a range', (board, signal) => board.erase(range, { signal })],
];

/** Returns a connected board with an erase in progress on slow flash. */
async function erasing(erase: (typeof erases)[number][1]) {
  const rig = new EspRig({ chip: 'esp32c3', profile: 'real-flash' });
  const board = await rig.connect();
  const abort = new AbortController();
  const failure = erase(board, abort.signal).then(
    () => null,
    (error: unknown) => error,
  );
  await rig.clock.advance(20);
  return { rig, board, abort, failure };
}

describe.each(erases)('a board during the erase of %s', (_what, erase) => {
  it('is reported as erased, not as unchanged, when it is unplugged', async () => {
    const { rig, failure } = await erasing(erase);
    rig.demo.unplug();
    expect(await rig.run(failure)).toMatchObject({ code: 'unplugged', state: 'erased' });
  });

  it('is reported as erased when the erase is cancelled, and by the next failure', async () => {
    const { rig, board, abort, failure } = await erasing(erase);
    abort.abort();
    expect(await rig.run(failure)).toMatchObject({ code: 'cancelled', state: 'erased' });
    rig.demo.unplug();
    await expect(rig.run(board.md5(range))).rejects.toMatchObject({ state: 'erased' });
  });

  it('is reported as unchanged if the erase was cancelled before the request', async () => {
    const rig = new EspRig({ chip: 'esp32c3' });
    const board = await rig.connect();
    await expect(rig.run(erase(board, AbortSignal.abort()))).rejects.toMatchObject({
      code: 'cancelled',
      state: 'unchanged',
    });
  });

  it('is reported as unchanged if it cannot erase', async () => {
    const rig = new EspRig({ chip: 'esp32c3' });
    const board = await rig.connect({ stub: false });
    await expect(rig.run(erase(board, new AbortController().signal))).rejects.toMatchObject({
      code: 'not-in-rom',
      state: 'unchanged',
    });
  });
});

describe('a board after an erase', () => {
  it('is reported as erased by an early failure of a write, and as unchanged after the write', async () => {
    const rig = new EspRig({ chip: 'esp32c3' });
    const board = await rig.connect();
    await rig.run(board.eraseAll());
    const refused = board.write(regions, { chip: 'esp32' });
    await expect(rig.run(refused)).rejects.toMatchObject({ code: 'wrong-chip', state: 'erased' });
    await rig.run(board.write(regions));
    await expect(rig.run(board.write(regions, { chip: 'esp32' }))).rejects.toMatchObject({ state: 'unchanged' });
  });

  it('is reported as incomplete once its write has begun', async () => {
    const rig = new EspRig({ chip: 'esp32c3', faults: [{ at: 'flash-data', kind: 'unplug' }] });
    const board = await rig.connect();
    await rig.run(board.eraseAll());
    await expect(rig.run(board.write(regions))).rejects.toMatchObject({ code: 'unplugged', state: 'incomplete' });
  });

  it('is reported as erased when the chip answers an erase with an error', async () => {
    const faults = [{ at: 'erase-region', kind: 'error-answer', times: Number.POSITIVE_INFINITY }] as const;
    const rig = new EspRig({ chip: 'esp32c3', faults });
    const board = await rig.connect();
    await expect(rig.run(board.erase(range))).rejects.toMatchObject({ code: 'erase-failed', state: 'erased' });
  });
});
