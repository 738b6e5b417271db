import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { kindsAt, type RpFault, rpFaultKinds, rpSteps, seededRpFault } from './faults.ts';
import { RpBoard, type RpBoardOptions } from './rp-board.ts';
import { Picotool } from './testing/picotool.ts';

const data = Uint8Array.from({ length: 1_024 }, (_, index) => index * 7);

async function rig(faults: readonly RpFault[], options: Partial<RpBoardOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const board = new RpBoard({
    clock,
    pace: 'none',
    bootsel: true,
    content: 'empty',
    reenumerate: 0,
    faults,
    ...options,
  });
  await clock.advance(1_000);
  const { device } = board;
  if (device === null) {
    throw new Error('a device was expected on the bus');
  }
  const tool = await Picotool.open(device, clock);
  await tool.exitXip();
  return { clock, board, device, tool };
}

/** Waits 100 ms. @returns `none`, the name of the error, or `waits`. */
async function outcome(clock: VirtualClock, work: Promise<unknown>, time = 100): Promise<string> {
  let result = 'waits';
  work.then(
    () => {
      result = 'none';
    },
    (error: unknown) => {
      result = error instanceof Error || error instanceof DOMException ? error.name : String(error);
    },
  );
  await clock.advance(time);
  return result;
}

const base = 0x1000_0000;

describe('faults of a simulated Pico', () => {
  it.each([
    ['flash-erase', 'lost-acknowledgement', 'waits'],
    ['flash-erase', 'stall-acknowledgement', 'Stalled'],
    ['flash-erase', 'lost-command', 'waits'],
    ['flash-erase', 'stall-command', 'Stalled'],
    ['flash-erase', 'unplug-at-end', 'NetworkError'],
    ['flash-erase', 'hang', 'waits'],
    ['flash-erase', 'unplug', 'NetworkError'],
    ['flash-erase', 'brown-out', 'NetworkError'],
  ] as const)('%s with %s: %s', async (at, kind, expected) => {
    const { clock, tool } = await rig([{ at, kind }]);
    expect(await outcome(clock, tool.erase(base, 4_096))).toBe(expected);
  });

  it.each([
    ['lost-acknowledgement', 'waits'],
    ['silent-end', 'waits'],
    ['lost-data', 'waits'],
    ['stall-data', 'Stalled'],
    ['unplug-in-data', 'NetworkError'],
  ] as const)('write with %s: %s', async (kind, expected) => {
    const { clock, tool } = await rig([{ at: 'write', kind }]);
    expect(await outcome(clock, tool.write(base, data))).toBe(expected);
  });

  it('reports a failed write whose end was silent in the status only', async () => {
    const { clock, tool } = await rig([{ at: 'write', kind: 'silent-end' }]);
    expect(await outcome(clock, tool.write(base, data))).toBe('waits');
    expect(await tool.status()).toEqual({ token: 2, code: 8, id: 5, isInProgress: false });
  });

  it.each(['lost-acknowledgement', 'lost-command', 'silent-end', 'lost-data'] as const)(
    'works again after %s by closing, opening and an interface reset',
    async (kind) => {
      const { clock, tool, device } = await rig([{ at: 'write', kind }]);
      expect(await outcome(clock, tool.write(base, data))).toBe('waits');
      await device.close();
      const again = await Picotool.open(device, clock);
      await again.reset();
      await again.exitXip();
      await again.erase(base, 4_096);
      await again.write(base, data);
      expect(await again.read(base, data.length)).toEqual(data);
    },
  );

  it.each(['late-acknowledgement', 'late-command'] as const)('is late by the given time with %s', async (kind) => {
    const { clock, tool } = await rig([{ at: 'flash-erase', kind, delay: 700 }]);
    const erase = tool.erase(base, 4_096);
    expect(await outcome(clock, erase, 690)).toBe('waits');
    expect(await outcome(clock, erase, 20)).toBe('none');
  });

  it('gives damaged, short and late data', async () => {
    const content = [{ offset: 0, data }];
    const bad = await rig([{ at: 'read', kind: 'damaged-data' }], { content });
    const damaged = await bad.tool.read(base, 1_024);
    expect(damaged.filter((byte, index) => byte !== data[index])).toHaveLength(1);
    const cut = await rig([{ at: 'read', kind: 'short-data' }], { content });
    await cut.tool.command(0x84, [0, 0, 0, 0x10, 0, 4, 0, 0], 1_024);
    expect((await cut.device.transferIn(4, 1_024)).data?.byteLength).toBe(64);
    const slow = await rig([{ at: 'read', kind: 'late-data', delay: 300 }], { content });
    const read = slow.tool.read(base, 1_024);
    expect(await outcome(slow.clock, read, 290)).toBe('waits');
    expect(await outcome(slow.clock, read, 20)).toBe('none');
  });

  it('stalls and loses control requests', async () => {
    const { clock, tool } = await rig([
      { at: 'get-command-status', kind: 'stall-request' },
      { at: 'interface-reset', kind: 'lost-request' },
    ]);
    expect(await outcome(clock, tool.status())).toBe('Stalled');
    expect(await outcome(clock, tool.reset())).toBe('waits');
  });

  it('has sectors that are not erased and pages that are not programmed', async () => {
    const worn = [
      { at: 'erase', offset: 4_096 },
      { at: 'program', offset: 256 },
    ] as const;
    const content = [{ offset: 0, data: new Uint8Array(8_192) }];
    const { tool, board } = await rig([], { worn, content });
    await tool.erase(base, 8_192);
    expect([board.flash.read(4_095, 2)]).toEqual([Uint8Array.of(0xff, 0)]);
    await tool.write(base, new Uint8Array(512).fill(1));
    expect(board.flash.read(255, 2)).toEqual(Uint8Array.of(1, 0xff));
  });

  it('erases the start of a chip that is smaller than thought', async () => {
    const content = [{ offset: 0, data }];
    const { tool, board } = await rig([], { flashSize: 1_048_576, content });
    await tool.erase(base + 1_048_576, 4_096);
    expect(board.flash.read(0, 4)).toEqual(Uint8Array.of(255, 255, 255, 255));
  });

  it('comes back after an unplug when told so', async () => {
    const { clock, tool, board } = await rig([{ at: 'write', kind: 'unplug-in-data', replugAfter: 500 }]);
    expect(await outcome(clock, tool.write(base, data))).toBe('NetworkError');
    expect(board.device).toBeNull();
    await clock.advance(600);
    expect(board.device).not.toBeNull();
  });

  it('lists 20 kinds, each with a step at which it exists', () => {
    expect(rpFaultKinds).toHaveLength(20);
    expect(new Set(rpSteps.flatMap((step) => kindsAt(step)))).toEqual(new Set(rpFaultKinds));
    expect(seededRpFault(7)).toEqual(seededRpFault(7));
    expect(kindsAt(seededRpFault(7).at)).toContain(seededRpFault(7).kind);
  });
});
