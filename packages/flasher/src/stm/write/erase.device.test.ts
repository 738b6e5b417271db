/** State that the client reports for a part whose erase did not finish, over a UART and over USB. */
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { flashStart } from '../parts/flash-layout.ts';
import type { StmBoard } from '../stm-board.ts';
import { StmRig, StmUsbRig } from '../testing/stm-rig.ts';

const content = [{ address: flashStart, data: noise(40_000) }];
const regions = [{ offset: flashStart, bytes: noise(3_000, 5) }];

const uart = () => {
  const rig = new StmRig({ part: 'stm32f407', profile: 'real-flash', content });
  return { rig, unplug: () => rig.demo.unplug() };
};
const usb = () => {
  const rig = new StmUsbRig({ part: 'stm32f407', profile: 'real-flash', content });
  return { rig, unplug: () => rig.board.unplug() };
};

describe.each([
  ['a UART', uart],
  ['USB', usb],
] as const)('a part during an erase over %s', (_link, plugIn) => {
  it.each([
    ['as a whole', (board: StmBoard, signal: AbortSignal) => board.erase(null, { signal })],
    [
      'in part',
      (board: StmBoard, signal: AbortSignal) => board.erase([{ offset: flashStart, length: 0x1_0000 }], { signal }),
    ],
  ])('%s is reported as erased, neither as unchanged nor as incomplete', async (_what, erase) => {
    for (const end of ['unplugged', 'cancelled']) {
      const { rig, unplug } = plugIn();
      const board = await rig.connect();
      const abort = new AbortController();
      const failure = erase(board, abort.signal).then(
        () => null,
        (error: unknown) => error,
      );
      await rig.clock.advance(60);
      if (end === 'cancelled') {
        abort.abort();
      } else {
        unplug();
      }
      expect(await rig.run(failure)).toMatchObject({ code: end, state: 'erased' });
    }
  });

  it('is reported as unchanged if it was cancelled before the request, and after a write', async () => {
    const { rig, unplug } = plugIn();
    const board = await rig.connect();
    const early = board.erase(null, { signal: AbortSignal.abort() });
    await expect(rig.run(early)).rejects.toMatchObject({ code: 'cancelled', state: 'unchanged' });
    await rig.run(board.erase([{ offset: flashStart, length: 1 }]));
    await rig.run(board.write(regions));
    unplug();
    await expect(rig.run(board.read({ offset: flashStart, length: 16 }))).rejects.toMatchObject({
      code: 'unplugged',
      state: 'unchanged',
    });
  });
});

it('a part is reported as erased while its read protection is being removed, which erases it', async () => {
  const rig = new StmRig({ part: 'stm32f103', profile: 'real-flash', content, protection: 1 });
  const board = await rig.connect();
  const failure = board.removeReadProtection().then(
    () => null,
    (error: unknown) => error,
  );
  await rig.clock.advance(3);
  rig.demo.unplug();
  expect(await rig.run(failure)).toMatchObject({ code: 'unplugged', state: 'erased' });
});

it('an erased part is not reported as write-protected for one wrong bit in the read data', async () => {
  for (let nth = 1; nth <= 40; nth++) {
    const rig = new StmRig({
      part: 'stm32f103',
      content,
      seed: nth,
      faults: [{ at: 'read-data', kind: 'damage-answer', nth }],
    });
    const board = await rig.connect();
    await rig.run(board.erase([{ offset: flashStart, length: 0x4000 }]));
    expect(rig.flash(0, 0x4000).every((byte) => byte === 0xff)).toBe(true);
  }
});
