import { expect, it } from 'vitest';
import { readHook } from '../../../shared/testing/stores.ts';
import { showFrame, showTask, useShownFrames } from './dump-view.tsx';

const shown = (dump: number) => readHook(() => useShownFrames(dump));

it('keeps the selected task and frames of each dump', () => {
  showTask(1, 0x3ffb_0000);
  showFrame(1, 0x3ffb_0000, 2);
  showTask(2, 0x3ffc_0000);
  showFrame(1, 0x3ffb_1000, 4);
  expect(shown(1)).toEqual({ task: 0x3ffb_0000, frames: { [0x3ffb_0000]: 2, [0x3ffb_1000]: 4 } });
  expect(shown(2)).toEqual({ task: 0x3ffc_0000, frames: {} });
  expect(shown(3)).toEqual({ task: null, frames: {} });
});
