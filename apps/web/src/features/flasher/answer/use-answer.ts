import { modelName } from '@wirebench/flasher/release/builds';
import type { PortNumber } from '@wirebench/serial';
import type { FlashState } from '../state/flash-state.ts';
import { type PlannedChange, useChanges } from '../store/board-changes.ts';
import { useChangedFiles } from '../store/disk-files.ts';
import { pageFamily, useFlasher, useWholeFlash } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import { choiceFor, refusalRemedy } from '../store/release-builds.ts';
import { useWriteList } from '../write/flash-map.tsx';
import type { AnswerView, BuildFact } from './answer-facts.ts';
import { answerView } from './answer-view.ts';
import { canWrite } from './plan-answers.ts';

export interface CurrentAnswer {
  readonly view: AnswerView;
  readonly flash: FlashState;
  readonly changes: readonly PlannedChange[];
  /** True: the plan can be carried out now. */
  readonly canWrite: boolean;
}

/** Returns what is to be said of the release's build for this board; null for a build whose files are there. */
function useBuildFact(port: PortNumber, { plan, phase }: FlashState): BuildFact | null {
  const release = useFlasher((state) => state.release);
  const family = useFlasher((state) => state.family);
  const flashes = useFlasher((state) => state.flashes);
  const buildsByHand = useFlasher((state) => state.buildsByHand);
  const buildFiles = useFlasher((state) => state.buildFiles);
  const batchMode = useFlasher((state) => state.batchMode);
  const choice = choiceFor({ release, family, flashes, buildsByHand }, port);
  if (choice === null) {
    return null;
  }
  if (choice.kind === 'refused') {
    return { state: 'refused', sentence: choice.sentence, remedy: refusalRemedy(choice.candidates, batchMode) };
  }
  const files = buildFiles[choice.build.id];
  const failed = files?.state === 'failed' && (plan !== null || phase === 'running');
  return files?.state === 'loaded' || failed
    ? null
    : {
        state: 'loading',
        name: modelName(choice.build.deviceModel),
        part: files?.state === 'loading' ? files.part : null,
      };
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
  const build = useBuildFact(port, flash);
  const facts = {
    ...(build !== null && { build }),
    flash,
    list,
    changes,
    family,
    receipt,
    monitorBaudRate,
    batchMode,
    changed,
  };
  return { view: answerView(facts), flash, changes, canWrite: canWrite(facts) };
}
