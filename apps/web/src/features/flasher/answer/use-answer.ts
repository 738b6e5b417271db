import type { FlashState } from '../state/flash-state.ts';
import { type PlannedChange, useChanges } from '../store/board-changes.ts';
import { useChangedFiles } from '../store/disk-files.ts';
import { pageFamily, useFlasher, useWholeFlash } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import { useWriteList } from '../write/flash-map.tsx';
import { type AnswerView, answerView, canWrite } from './answer-view.ts';

export interface CurrentAnswer {
  readonly view: AnswerView;
  readonly flash: FlashState;
  readonly changes: readonly PlannedChange[];
  /** True: the plan can be carried out now. */
  readonly canWrite: boolean;
}

/** Returns the answer for the board in view. */
export function useAnswer(): CurrentAnswer {
  const port = useFlasher(({ selected }) => selected);
  const flash = useWholeFlash();
  const list = useWriteList();
  const changes = useChanges(port);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const monitorBaudRate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const batchMode = useFlasher((state) => state.batchMode);
  const changed = useChangedFiles();
  const family = pageFamily();
  const facts = { flash, list, changes, family, receipt, monitorBaudRate, batchMode, changed };
  return { view: answerView(facts), flash, changes, canWrite: canWrite(facts) };
}
