/** Flash chips that take as long as their data sheet allows. A busy board must not count as silent. */
import type { EspFault } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitIntoRegions } from '../../core/region.ts';
import { noise } from '../../testing/program.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspRig, type EspRigOptions, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const KIB = 1_024;
const everyTime = Number.POSITIVE_INFINITY;

/** Code, then 128 KiB of zeros that fit into one compressed block together with code, then more code. */
const mixed = new Uint8Array(256 * KIB);
mixed.set(noise(96 * KIB));
mixed.set(noise(32 * KIB, 2), 224 * KIB);
const zeros = new Uint8Array(256 * KIB);
const code = noise(128 * KIB);

type Entry = 'lines' | 'buttons';

interface Slow extends Omit<EspRigOptions, 'stub'> {
  readonly entry: Entry;
  readonly stub?: boolean;
}

async function connectSlow({ entry, stub = true, ...options }: Slow): Promise<{ rig: EspRig; board: EspBoard }> {
  const rig = new EspRig({ profile: 'slow-flash', ...(entry === 'buttons' && { powerUp: 'download' }), ...options });
  const board = await rig.connect({ stub, ...(entry === 'buttons' && { entry }) });
  rig.notices.length = 0;
  return { rig, board };
}

describe.each(['lines', 'buttons'] as const)('flash as slow as a data sheet allows, on a board with %s', (entry) => {
  it.each([
    ['esp32', mixed, 0x1_0000],
    ['esp32c3', mixed, 0x1_0000],
    ['esp32c3', zeros, 0x1_0000],
    ['esp32c3', zeros, 0x1_1000],
    ['esp32c3', code, 0x1_1000],
    ['esp32s3', mixed, 0x9000],
    ['esp8266', mixed, 0],
    ['esp8266', zeros, 0x1000],
  ] as const)('is written by the stub at once: %s, %#', async (chip, image, offset) => {
    const { rig, board } = await connectSlow({ entry, chip });
    const report = await rig.run(board.write(splitIntoRegions(offset, image)));
    expect(report).toMatchObject({ state: 'complete', repeated: 0 });
    expect(rig.notices).toEqual([]);
    expect(rig.flash(offset, image.length)).toEqual(image);
  });

  it.each([
    ['esp32', 0x1_0000],
    ['esp32c3', 0x1_0000],
    ['esp32c3', 0x1_1000],
    ['esp8266', 0x1_0000],
  ] as const)('is written without the stub at once: %s at %i', async (chip, offset) => {
    const { rig, board } = await connectSlow({ entry, chip, stub: false });
    const image = new Uint8Array(72 * KIB);
    image.set(noise(4 * KIB));
    const report = await rig.run(board.write(splitIntoRegions(offset, image)));
    expect(report).toMatchObject({ state: chip === 'esp8266' ? 'unverified' : 'complete', repeated: 0 });
    expect(rig.notices).toEqual([]);
    expect(rig.flash(offset, image.length)).toEqual(image);
  });

  it.each([0x1_0000, 0x1_1000])('is erased, a range at %i and all of it', async (offset) => {
    const size = 2 * 1_024 * KIB;
    const content = [{ offset: 0, data: noise(size) }];
    const { rig, board } = await connectSlow({ entry, chip: 'esp32c3', flash: { size, content } });
    await rig.run(board.erase({ offset, length: 160 * KIB }));
    expect(rig.flash(offset, 160 * KIB).every((byte) => byte === 0xff)).toBe(true);
    await rig.run(board.eraseAll());
    expect(rig.flash(0, size).every((byte) => byte === 0xff)).toBe(true);
    expect(rig.notices).toEqual([]);
  });

  it('is waited for when a write is cancelled and begun again', async () => {
    const { rig, board } = await connectSlow({ entry, chip: 'esp32c3' });
    const abort = new AbortController();
    const first = board.write(splitIntoRegions(0x1_0000, zeros), { signal: abort.signal }).catch(() => undefined);
    await rig.clock.advance(500);
    abort.abort();
    await rig.run(first);
    const report = await rig.run(board.write(splitIntoRegions(0x1_0000, mixed)));
    expect(report).toMatchObject({ state: 'complete', repeated: 0 });
    expect(rig.notices).toEqual([]);
    expect(rig.flash(0x1_0000, mixed.length)).toEqual(mixed);
  });

  it('is waited for after an answer that was lost, before the board counts as silent', async () => {
    for (const nth of [1, 2, 5, 7]) {
      const faults: EspFault[] = [{ at: 'flash-data', kind: 'drop-answer', nth }];
      const { rig, board } = await connectSlow({ entry, chip: 'esp32c3', faults });
      const report = await rig.run(board.write(splitIntoRegions(0x1_0000, mixed)));
      expect(report).toMatchObject({ state: 'complete' });
      expect(rig.notices.filter(({ kind }) => kind === 'reconnected')).toEqual([]);
      expect(rig.flash(0x1_0000, mixed.length)).toEqual(mixed);
    }
  });
});

describe('a board that stops answering on slow flash', () => {
  it('is given up as soon as its flash could have been ready', async () => {
    const faults: EspFault[] = [{ at: 'flash-data', kind: 'hang', nth: 3, times: everyTime }];
    const { rig, board } = await connectSlow({ entry: 'buttons', chip: 'esp32c3', faults });
    const begun = rig.clock.now();
    await expect(rig.run(board.write(splitIntoRegions(0x1_0000, code)))).rejects.toMatchObject({
      code: 'stopped-answering',
      state: 'incomplete',
    });
    // Three blocks and their erases, 3 s for the last of them, and the longest recovery.
    expect(rig.clock.now() - begun).toBeLessThan(30_000);
  });
});
