import { modelName } from '@wirebench/boards';
import { erasedAllText } from '@wirebench/flasher/callers';
import { boardStateText } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { kilobytesPerSecond, sizeText } from '../../../shared/format/bytes.ts';
import { clockText } from '../../../shared/format/durations.ts';
import type { FlashPhase, FlashState } from '../state/flash-state.ts';
import { choiceFor, otherVersionFor, refusalRemedy, useShownFiles } from '../store/board-builds.ts';
import { erasedBy, type PlannedChange, useChanges, useWritten, type WrittenChanges } from '../store/board-changes.ts';
import { pageFamily, useFlasher, useWholeFlash } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import { useWriteList } from '../write/flash-map.tsx';
import { startText } from '../write/start-text.ts';
import { fileProgress, nowText } from '../write/write-view.ts';
import { type AnswerFacts, type AnswerView, type BuildFact, noNumbers } from './answer-facts.ts';
import { filesText, listFault, listSize } from './listed-files.ts';
import { canWrite, faultyFileAnswer, planAnswer, withoutBuildAnswer } from './plan-answers.ts';
import { joined } from './plan-words.ts';

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
  const state = { release, family, flashes, buildsByHand };
  const choice = choiceFor(state, port);
  const { board } = flashes[port];
  if (board !== null && (choice === null ? (plan?.refusals.length ?? 0) > 0 : choice.kind === 'refused')) {
    const other = otherVersionFor(state, port);
    if (other !== null) {
      return { state: 'other-version', board: board.name, version: other.version };
    }
  }
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

/** Phases in which the answer is about the board, also when a file cannot be read. */
const isUnderWay: readonly FlashPhase[] = ['connecting', 'writing', 'restarting', 'working', 'releasing', 'done'];

/** Answers while the board is written, erased or read. */
function writingAnswer({ flash, list, changes, family }: AnswerFacts): AnswerView {
  const erases = list.length === 0 && erasedBy(changes) !== null;
  const bar = erases || flash.emptied !== null ? family.words.erased : 'Written and verified';
  const { progress, phase, cancelling } = flash;
  if (phase === 'restarting') {
    return {
      region: 'Progress',
      tone: 'accent',
      tag: 'Restarting',
      title: flash.emptied === null ? 'Everything is written' : 'Everything is erased',
      text: 'The board restarts.',
      numbers: noNumbers,
      action: 'stop',
      label: 'Stop',
      blocked: true,
      done: 1,
      bar,
    };
  }
  const part = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  const current = list.findIndex(({ name }) => fileProgress(name, flash)?.state === 'writing');
  const place = list.length > 1 && current >= 0 ? ` ${current + 1} of ${list.length}` : '';
  const verifies = progress?.phase === 'verifying';
  return {
    region: 'Progress',
    tone: 'accent',
    tag: verifies ? `Verifying${place}` : erases ? 'Erasing' : `Writing${place}`,
    title: nowText(flash, family.addresses),
    text: 'Do not unplug the board.',
    numbers: [
      { label: 'Done', value: part === null ? '–' : String(Math.floor(part * 100)), unit: '%' },
      { label: 'Speed', value: progress?.speed == null ? '–' : kilobytesPerSecond(progress.speed), unit: 'kB/s' },
      { label: 'Left', value: progress?.remaining == null ? '–' : clockText(progress.remaining), unit: 'min' },
    ],
    action: 'stop',
    label: cancelling ? 'Stopping…' : 'Stop',
    done: part,
    bar,
  };
}

function workingAnswer({ work, cancelling }: FlashState): AnswerView {
  const { done: bytes = null, total = null, label = '', kind = 'read' } = work ?? {};
  const part = bytes === null || total === null || total === 0 ? null : bytes / total;
  const backs = label.startsWith('Backing up');
  return {
    region: 'Progress',
    tone: 'accent',
    tag: backs ? 'Backing up' : kind === 'erase' ? 'Erasing' : 'Reading',
    title: label,
    text:
      kind === 'erase'
        ? 'Do not unplug the board.'
        : 'Only reading: nothing on the board changes. You may stop at any time.',
    numbers: [
      { label: 'Done', value: part === null ? '–' : String(Math.floor(part * 100)), unit: '%' },
      ...(work?.left === undefined ? [] : [{ label: 'Left', value: clockText(work.left), unit: 'min' }]),
    ],
    action: 'stop',
    label: cancelling ? 'Stopping…' : 'Stop',
    done: part,
    bar: label,
  };
}

/** Answers after a write: its result, or what ended it. */
function doneAnswer({ flash, list, written: edits, receipt, family, monitorBaudRate }: AnswerFacts): AnswerView {
  const { report, startObservation, restartByHand, board } = flash;
  const { written = 0, same = 0, duration = 0, state = 'complete' } = report ?? {};
  const nothing = written === 0;
  const isErase = edits != null && list.length === 0 && erasedBy(edits.changes) !== null;
  const verified = state === 'complete';
  const said =
    startObservation === null
      ? null
      : startText(startObservation, {
          application: receipt?.application ?? null,
          baudRate: monitorBaudRate,
          words: family.words,
          demo: receipt?.demo ?? board?.demo ?? false,
        });
  const { emptied } = flash;
  // An empty board starts nothing, as it was asked for.
  const fails = said?.tone === 'failure' && emptied === null;
  const unsure = said?.tone === 'unsure' && emptied === null;
  const proved = verified ? 'Written and verified' : 'Written, not verified';
  // Without files there is nothing to flash again: the editor goes on from what was written.
  const isEdit = edits != null && list.length === 0;
  const what = nothing
    ? `${same === 0 ? 'Nothing had to be written' : `All ${sizeText(same)} was already ${isErase ? 'empty' : 'there'}`}${verified && same > 0 ? `, ${family.words.proof}` : ''}.`
    : `${sizeText(written)} ${isErase ? 'erased' : 'written'}${same === 0 ? '' : isErase ? `, ${sizeText(same)} was empty already` : `, ${sizeText(same)} was already there`}.`;

  const next =
    emptied !== null
      ? erasedAllText
      : said !== null
        ? said.what
        : restartByHand
          ? `The board could not be restarted from here. ${family.words.restart}`
          : flash.holdsPort
            ? 'The board stays in its bootloader.'
            : 'The board was restarted.';
  const proof = verified ? '' : ` ${boardStateText.unverified}`;
  const seconds = duration / 1_000;
  return {
    region: 'Result',
    tone: fails || !verified || unsure ? 'warning' : 'good',
    tag: fails || !verified || unsure ? 'Done, but' : isEdit && !isErase ? proved : 'Done',
    title: isErase ? family.words.erased : nothing ? 'Nothing to write' : isEdit ? writtenTitle(edits) : proved,
    text: `${what} ${next}${proof}`,
    numbers: [
      { label: 'Took', value: seconds.toFixed(1), unit: 's' },
      ...(nothing || isEdit
        ? []
        : [{ label: 'Speed', value: kilobytesPerSecond(written / Math.max(seconds, 0.001)), unit: 'kB/s' }]),
    ],
    action: 'again',
    ...(isEdit ? { label: 'Nothing to write', blocked: true } : { label: 'Flash again', primary: true }),
    done: 1,
  };
}

/** Names the written changes: `2 changed keys written`. */
function writtenTitle({ changes }: WrittenChanges): string {
  return `${joined(changes.map(({ what }) => what))} written`.replace(/^./, (letter) => letter.toUpperCase());
}

function failedAnswer(flash: FlashState): AnswerView {
  const { failure, progress, phase } = flash;
  const interrupted = failure?.interrupted ?? false;
  const part = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  return {
    region: 'Failure',
    tone: phase === 'cancelled' && !interrupted ? 'plain' : 'bad',
    tag: phase === 'cancelled' ? 'Stopped by you' : failedTag(failure, interrupted),
    title: '',
    text: '',
    numbers:
      interrupted && part !== null ? [{ label: 'Stopped at', value: String(Math.floor(part * 100)), unit: '%' }] : [],
    action: 'way',
    label: interrupted ? 'Write the rest' : 'Try again',
    primary: true,
    ...(interrupted && part !== null && { done: part }),
  };
}

function failedTag(failure: FlashState['failure'], interrupted: boolean): string {
  return interrupted || failure?.during === 'working' ? 'Not finished' : 'Not connected';
}

/** Answers while there is no board, while one connects, and while there is nothing to write. */
function waitingAnswer(tag: string, title: string, text: string): AnswerView {
  const label = 'Please wait';
  return { region: 'Plan', tone: 'plain', tag, title, text, numbers: noNumbers, action: 'wait', label, blocked: true };
}

function beforeBoardAnswer({ list, family, stop = null }: AnswerFacts): AnswerView {
  const common = { region: 'Plan', numbers: noNumbers, action: 'connect', label: 'Connect a board' } as const;
  if (stop !== null) {
    return {
      ...common,
      tone: 'warning',
      tag: 'Plan',
      title: stop.what.replace(/\.$/, ''),
      text: stop.remedy,
      primary: true,
    };
  }
  if (list.length === 0) {
    return {
      ...common,
      tone: 'plain',
      tag: 'Not connected',
      title: 'Connect a board',
      text: `${family.words.connect} Nothing is written before you say so.`,
      // Two ways to a real board are equal: the board decides between them.
      primary: !family.starts.some(({ by }) => by === 'usb'),
    };
  }
  const fault = listFault(list, family);
  return {
    ...common,
    tone: fault === null ? 'plain' : 'warning',
    tag: 'Plan',
    title: fault === null ? `Connect a board to write ${filesText(list.length)}` : `${fault} and connect a board`,
    text: `${sizeText(listSize(list))}. Chip and room are checked as soon as it is connected.`,
    primary: true,
  };
}

const nextBoardAnswer = (): AnswerView => ({
  region: 'Plan',
  tone: 'accent',
  tag: 'Batch',
  title: 'Plug in the next board',
  text: 'Each board that you have allowed before is written and verified by itself, up to four at a time.',
  numbers: noNumbers,
  action: 'leave-batch',
  label: 'Stop',
});

function connectingAnswer({ flash, family }: AnswerFacts): AnswerView {
  return {
    region: 'Plan',
    tone: 'accent',
    tag: 'Connecting',
    title: family.steps[flash.step ?? 'opening'] ?? 'Opening the port',
    text: 'Only reading: nothing on the board changes.',
    numbers: noNumbers,
    action: 'cancel',
    label: 'Cancel',
    done: null,
    bar: 'Connecting',
  };
}

function connectedAnswer({ flash: { phase, board, emptied }, family, batchMode }: AnswerFacts): AnswerView {
  const runs = phase === 'running';
  if (emptied !== null) {
    return {
      region: 'Result',
      tone: 'good',
      tag: 'Done',
      title: family.words.erased,
      text: `${emptied.charAt(0).toUpperCase()}${emptied.slice(1)}. ${erasedAllText}`,
      numbers: noNumbers,
      action: 'choose',
      label: 'Choose files',
      primary: !batchMode,
    };
  }
  const looks = board !== null && family.tellsContents?.(board) === false ? '' : 'Or look inside the board below. ';
  return {
    region: 'Plan',
    tone: 'plain',
    tag: runs ? 'Running' : 'Connected',
    title: 'Add the files to write',
    text: runs
      ? 'The board runs its program. Write connects again by itself.'
      : `${looks}Nothing is written before you say so.`,
    numbers: noNumbers,
    action: 'choose',
    label: 'Choose files',
    primary: !batchMode,
  };
}

/** Derives from the state of a board's flash what the answer at the top of the page says: state, sentence, numbers. */
export function answerView(facts: AnswerFacts): AnswerView {
  const { flash, list, changes, batchMode, stop = null, fileFaults = [] } = facts;
  const { phase } = flash;
  if (fileFaults.length > 0 && !isUnderWay.includes(phase)) {
    return faultyFileAnswer(fileFaults, changes);
  }
  switch (phase) {
    case 'connecting':
      return connectingAnswer(facts);
    case 'writing':
    case 'restarting':
      return writingAnswer(facts);
    case 'working':
      return workingAnswer(flash);
    case 'releasing':
      return waitingAnswer('Restarting', 'The board restarts', 'Its program starts in a moment.');
    case 'done':
      return doneAnswer(facts);
    case 'failed':
    case 'cancelled':
      return failedAnswer(flash);
    case 'none':
      return batchMode ? nextBoardAnswer() : beforeBoardAnswer(facts);
    default:
      if (facts.build !== undefined) {
        return withoutBuildAnswer(facts.build, flash);
      }
      return list.length === 0 && changes.length === 0 && flash.plan === null && stop === null
        ? connectedAnswer(facts)
        : planAnswer(facts);
  }
}

/** Returns the answer for the board in view. */
export function useAnswer(): CurrentAnswer {
  const port = useFlasher(({ selected }) => selected);
  const flash = useWholeFlash();
  const list = useWriteList();
  const changes = useChanges(port);
  const written = useWritten(port);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const monitorBaudRate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const batchMode = useFlasher((state) => state.batchMode);
  const changed = useFlasher((state) => state.renewed);
  const fileFaults = useFlasher((state) => state.fileFaults);
  const family = pageFamily();
  const build = useBuildFact(port, flash);
  const stop = useShownFiles(({ conflicts }) => conflicts.find(({ stops }) => stops)) ?? null;
  const facts = {
    stop,
    ...(build !== null && { build }),
    flash,
    list,
    changes,
    written,
    family,
    receipt,
    monitorBaudRate,
    batchMode,
    changed,
    fileFaults,
  };
  const watch = useFlasher(({ watches }) => watches[port]);
  const derived = answerView(facts);
  const view = watch?.answer(derived, flash) ?? derived;
  return { view, flash, changes, canWrite: canWrite(facts) };
}
