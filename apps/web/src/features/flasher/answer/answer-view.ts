/** Derives from the state of a board's flash what the answer at the top of the page says: state, sentence, numbers. */
import { boardStateText } from '@wirebench/flasher/core';
import type { Receipt } from '@wirebench/flasher/receipt';
import type { Finding } from '../../../protocol/flash-protocol.ts';
import { clockText as timeOfDayText } from '../../../shared/dates/dates.ts';
import { kilobytesPerSecond, sizeText } from '../../../shared/format/bytes.ts';
import { clockText, roughDurationText } from '../../../shared/format/durations.ts';
import { type ListedFile, overlapCount } from '../files/write-list.ts';
import type { PageFamily } from '../page-family.ts';
import { type FlashState, isReady } from '../state/flash-state.ts';
import type { PlannedChange } from '../store/board-changes.ts';
import type { ChangedFile } from '../store/disk-files.ts';
import { startText } from '../write/start-text.ts';
import { fileProgress, nowText } from '../write/write-view.ts';
import { changesTitle, joined, planTitle } from './plan-words.ts';
import { wrongChipFiles } from './wrong-chip.ts';

type AnswerTone = 'plain' | 'accent' | 'good' | 'warning' | 'bad';

/**
 * Action of the main button. `way`: the failure's own. `open-offset`: opens the field of the offset of the file that the
 * first warning is about.
 */
export type AnswerAction =
  | 'connect'
  | 'cancel'
  | 'choose'
  | 'choose-others'
  | 'connect-other'
  | 'load-again'
  | 'open-offset'
  | 'write'
  | 'stop'
  | 'wait'
  | 'again'
  | 'way'
  | 'leave-batch';

interface AnswerNumber {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

export interface AnswerView {
  /** Name of the section for assistive technology. `Failure`: a failure's card supplies title and sentence. */
  readonly region: 'Plan' | 'Progress' | 'Result' | 'Failure';
  readonly tone: AnswerTone;
  /** State in one or two words. */
  readonly tag: string;
  readonly title: string;
  readonly text: string;
  readonly numbers: readonly AnswerNumber[];
  readonly action: AnswerAction;
  /** Words of the main button. */
  readonly label: string;
  /** True: the button can do nothing yet. */
  readonly blocked?: boolean;
  /** True: amber. At most one control of the page is. */
  readonly primary?: boolean;
  /** Progress, 0 to 1; null: its extent is unknown. Missing: nothing is under way. */
  readonly done?: number | null;
  /** Name of the progress bar. Missing: the progress is over. */
  readonly bar?: string;
  /** Findings of the plan that the answer says, so that the list below leaves them out. */
  readonly says?: readonly Finding[];
}

export interface AnswerFacts {
  readonly flash: FlashState;
  readonly list: readonly ListedFile[];
  readonly changes: readonly PlannedChange[];
  readonly family: PageFamily;
  readonly receipt: Receipt | null;
  readonly monitorBaudRate: number;
  readonly batchMode: boolean;
  /** Build of a release for this board. Missing: there is nothing to say of it. */
  readonly build?: BuildFact;
  /** Chosen files that have changed on the disk since they were read. */
  readonly changed: readonly ChangedFile[];
}

/** @property part Fraction of the bytes that have arrived, 0 to 1; null if it is unknown. */
export type BuildFact =
  | { readonly state: 'loading'; readonly name: string; readonly part: number | null }
  | { readonly state: 'refused'; readonly sentence: string; readonly remedy: string };

/** Warnings after which the board would not start. The remedy is then the main button. */
const grave: readonly string[] = ['not-a-bootloader', 'not-a-table'];

const noNumbers: readonly AnswerNumber[] = [];

export function answerView(facts: AnswerFacts): AnswerView {
  const { flash, list, changes, batchMode } = facts;
  const { phase } = flash;
  switch (phase) {
    case 'connecting':
      return connecting(facts);
    case 'writing':
    case 'restarting':
      return writing(facts);
    case 'working':
      return working(flash);
    case 'releasing':
      return waiting('Restarting', 'The board restarts', 'Its program starts in a moment.');
    case 'done':
      return done(facts);
    case 'failed':
    case 'cancelled':
      return failed(flash);
    case 'none':
      return batchMode ? nextBoard() : beforeBoard(facts);
    default:
      if (facts.build !== undefined) {
        return withoutBuild(facts.build, flash);
      }
      return list.length === 0 && changes.length === 0 && flash.plan === null
        ? connected(flash, batchMode)
        : plan(facts);
  }
}

function waiting(tag: string, title: string, text: string): AnswerView {
  const label = 'Please wait';
  return { region: 'Plan', tone: 'plain', tag, title, text, numbers: noNumbers, action: 'wait', label, blocked: true };
}

function beforeBoard({ list, family }: AnswerFacts): AnswerView {
  const common = { region: 'Plan', numbers: noNumbers, action: 'connect', label: 'Connect a board' } as const;
  if (list.length === 0) {
    return {
      ...common,
      tone: 'plain',
      tag: 'Not connected',
      title: 'Connect a board',
      text: `${family.words.connect} Nothing is written before you say so.`,
      primary: true,
    };
  }
  const fault = faultOf(list, family);
  return {
    ...common,
    tone: fault === null ? 'plain' : 'warning',
    tag: 'Plan',
    title: fault === null ? `Connect a board to write ${filesText(list.length)}` : `${fault} and connect a board`,
    text: `${sizeText(sizeOf(list))}. Chip and room are checked as soon as it is connected.`,
    primary: true,
  };
}

const nextBoard = (): AnswerView => ({
  region: 'Plan',
  tone: 'accent',
  tag: 'Batch',
  title: 'Plug in the next board',
  text: 'Each board that you have allowed before is written and verified by itself, up to four at a time.',
  numbers: noNumbers,
  action: 'leave-batch',
  label: 'Stop',
});

function connecting({ flash, family }: AnswerFacts): AnswerView {
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

function connected({ phase, board }: FlashState, batchMode: boolean): AnswerView {
  const runs = phase === 'running';
  // Some bootloaders of Nordic boards tell nothing of what is in flash.
  const looks = board?.family === 'nrf' && board.info.slots.length === 0 ? '' : 'Or look inside the board below. ';
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

/** Returns what has to be put right at the files before they can be written; null if nothing has to. */
function faultOf(list: readonly ListedFile[], { addresses }: PageFamily): string | null {
  if (!list.some(({ typed }) => typed.fault !== null)) {
    return null;
  }
  return `Fix ${overlapCount(list) > 0 ? 'the overlap' : `the ${addresses.word}`}`;
}

function plan(facts: AnswerFacts): AnswerView {
  const { flash, list, changes, family } = facts;
  const label = writeLabel(list.length, changes);
  const common = { region: 'Plan', numbers: noNumbers, action: 'write', label } as const;
  const wrong = wrongChipFiles(list, flash.board);
  const found = flash.plan;
  if (wrong !== null && (found === null || found.refusals.some(({ code }) => code === 'wrong-chip'))) {
    return {
      ...notPossible,
      title: wrong.title,
      text: `Nothing was written. ${wrong.remedy}`,
      says: found?.refusals.filter(({ code }) => code === 'wrong-chip') ?? [],
    };
  }
  const fault = faultOf(list, family);
  if (fault !== null) {
    const overlaps = overlapCount(list);
    return {
      ...common,
      tone: 'warning',
      tag: 'Plan',
      title: `${fault} to start`,
      text: overlaps === 0 ? 'Its field says what is wrong.' : overlaps === 1 ? '1 overlap' : `${overlaps} overlaps`,
      blocked: true,
    };
  }
  if (found === null) {
    return flash.phase === 'running' ? again(facts, label) : comparing(label);
  }
  const [refusal] = found.refusals;
  if (refusal?.code === 'build-not-loaded') {
    const again = { action: 'load-again', label: 'Try again' } as const;
    return { ...notPossible, ...again, title: bare(refusal.what), text: refusal.remedy, says: [refusal] };
  }
  if (refusal !== undefined) {
    return { ...notPossible, title: bare(refusal.what), text: refusal.remedy, says: [refusal] };
  }
  const [warning] = found.warnings.filter(({ code }) => grave.includes(code));
  if (warning !== undefined) {
    return {
      ...common,
      action: 'open-offset',
      label: `Change the ${family.addresses.word}`,
      tone: 'warning',
      tag: 'Plan',
      title: bare(warning.what),
      text: warning.remedy,
      primary: true,
      says: [warning],
    };
  }
  return {
    ...common,
    tone: 'accent',
    tag: 'Plan',
    title: planTitle(list.length, changes, found),
    text: planText(found, family),
    primary: found.toWrite > 0 || changes.length > 0,
  };
}

const notPossible = {
  region: 'Plan',
  tone: 'bad',
  tag: 'Not possible',
  numbers: noNumbers,
  action: 'choose-others',
  label: 'Choose other files',
  primary: true,
} as const;

/** The board has no build, or its files are still under way. */
function withoutBuild(build: BuildFact, { plan: found }: FlashState): AnswerView {
  if (build.state === 'refused') {
    return {
      ...notPossible,
      title: bare(build.sentence),
      text: build.remedy,
      says: found?.refusals ?? [],
      action: 'connect-other',
      label: 'Connect another board',
    };
  }
  return {
    region: 'Plan',
    tone: 'accent',
    tag: 'Loading',
    title: `Loading the files for ${build.name}`,
    text: 'Nothing is written before you say so.',
    numbers: noNumbers,
    action: 'cancel',
    label: 'Cancel',
    done: build.part,
    bar: 'Loading',
  };
}

const comparing = (label: string): AnswerView => ({
  region: 'Plan',
  tone: 'plain',
  tag: 'Plan',
  title: 'Comparing with what is on the board…',
  text: 'Nothing is written before you say so.',
  numbers: noNumbers,
  action: 'write',
  label,
  blocked: true,
  done: null,
  bar: 'Comparing',
});

/** The board runs its program, so there is no plan yet. One press connects, compares and writes. */
function again({ list, changes, changed }: AnswerFacts, label: string): AnswerView {
  const size = list.length === 0 ? '' : `, ${sizeText(sizeOf(list))}`;
  const [newer] = changed;
  const built = newer === undefined ? '' : `${newer.name} was built again at ${timeOfDayText(newer.at)}. `;
  return {
    region: 'Plan',
    tone: 'accent',
    tag: 'Plan',
    title: `${changesTitle(list.length, changes)}${size}`,
    text: `${built}The board runs its program. Write connects again by itself.`,
    numbers: noNumbers,
    action: 'write',
    label,
    primary: true,
  };
}

/** Words of the button that carries out the plan. */
function writeLabel(files: number, changes: readonly PlannedChange[]): string {
  const count = changes.reduce((sum, change) => sum + change.count, 0);
  const parts = [
    ...(files > 0 ? [filesText(files)] : []),
    ...(count > 0 ? [count === 1 ? '1 change' : `${count} changes`] : []),
  ];
  return `Write ${joined(parts)}`;
}

const filesText = (count: number) => (count === 1 ? '1 file' : `${count} files`);

const sizeOf = (list: readonly ListedFile[]) => list.reduce((sum, { size }) => sum + size, 0);

/** Removes the full stop: titles have none. */
const bare = (sentence: string) => sentence.replace(/\.$/, '');

type Plan = NonNullable<FlashState['plan']>;

function planText(found: Plan, family: PageFamily): string {
  const { toWrite, same, duration, eraseAll, regions, map } = found;
  if (toWrite === 0 && regions.length > 0) {
    return `All ${sizeText(same)} is already there: nothing needs to be written.`;
  }
  const there = same === 0 ? '' : ` ${sizeText(same)} is already there.`;
  const rough = roughDurationText(duration);
  const time = `${rough.charAt(0).toUpperCase()}${rough.slice(1)}.`;
  const { notCompared } = family.words;
  const hint =
    eraseAll || notCompared === undefined || regions.some((region) => region.same !== null) ? '' : ` ${notCompared}`;
  return `${time}${there}${eraseAll ? ' The whole flash is erased first.' : keptText(map)}${hint}`.trim();
}

/** Maximum number of areas that the sentence names. The map shows all. */
const maxNamed = 3;

/** Names areas that stay as they are as a whole, the stored settings first. */
function keptText(map: Plan['map']): string {
  const touched = map.flatMap(({ name, fate }) => (fate === 'erased' || fate === 'written' ? [name] : []));
  const kept = [...new Set(map.flatMap(({ name }) => (name === null || touched.includes(name) ? [] : [name])))];
  if (kept.length === 0) {
    return '';
  }
  const sorted = kept.toSorted((one, other) => Number(other === 'nvs') - Number(one === 'nvs'));
  const named = sorted.slice(0, maxNamed).map((name) => (name === 'nvs' ? 'Stored settings (nvs)' : name));
  const more = kept.length - named.length;
  const all = joined(more > 0 ? [...named, `${more} more`] : named);
  return ` ${all} ${kept.length === 1 && kept[0] !== 'nvs' ? 'is' : 'are'} kept.`;
}

function writing({ flash, list, family }: AnswerFacts): AnswerView {
  const { progress, phase, cancelling } = flash;
  if (phase === 'restarting') {
    return {
      region: 'Progress',
      tone: 'accent',
      tag: 'Restarting',
      title: 'Everything is written',
      text: 'The board restarts.',
      numbers: noNumbers,
      action: 'stop',
      label: 'Stop',
      blocked: true,
      done: 1,
      bar: 'Written and verified',
    };
  }
  const part = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  const current = list.findIndex(({ name }) => fileProgress(name, flash)?.state === 'writing');
  const place = list.length > 1 && current >= 0 ? ` ${current + 1} of ${list.length}` : '';
  const verifies = progress?.phase === 'verifying';
  return {
    region: 'Progress',
    tone: 'accent',
    tag: verifies ? `Verifying${place}` : `Writing${place}`,
    title: nowText(flash, !family.addresses.hidden),
    text: 'Do not unplug the board.',
    numbers: [
      { label: 'Done', value: part === null ? '–' : String(Math.floor(part * 100)), unit: '%' },
      { label: 'Speed', value: progress?.speed == null ? '–' : kilobytesPerSecond(progress.speed), unit: 'kB/s' },
      { label: 'Left', value: progress?.remaining == null ? '–' : clockText(progress.remaining), unit: 'min' },
    ],
    action: 'stop',
    label: cancelling ? 'Stopping…' : 'Stop',
    done: part,
    bar: 'Written and verified',
  };
}

function working({ work, cancelling }: FlashState): AnswerView {
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
    numbers: [{ label: 'Done', value: part === null ? '–' : String(Math.floor(part * 100)), unit: '%' }],
    action: 'stop',
    label: cancelling ? 'Stopping…' : 'Stop',
    done: part,
    bar: label,
  };
}

function done({ flash, receipt, family, monitorBaudRate }: AnswerFacts): AnswerView {
  const { report, startObservation, restartByHand, board } = flash;
  const { written = 0, same = 0, duration = 0, state = 'complete' } = report ?? {};
  const nothing = written === 0;
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
  const fails = said?.tone === 'failure';
  const title = nothing ? 'Nothing to write' : verified ? 'Written and verified' : 'Written, not verified';
  const what = nothing
    ? `All ${sizeText(same)} was already there, ${family.words.proof}.`
    : `${sizeText(written)} written${same === 0 ? '' : `, ${sizeText(same)} was already there`}.`;
  const next =
    said !== null && (said.tone === 'good' || said.tone === 'waiting')
      ? said.what
      : restartByHand
        ? `The board could not be restarted from here. ${family.words.restart}`
        : 'The board was restarted.';
  const proof = verified ? '' : ` ${boardStateText.unverified}`;
  const seconds = duration / 1_000;
  return {
    region: 'Result',
    tone: fails || !verified || said?.tone === 'unsure' ? 'warning' : 'good',
    tag: fails || !verified || said?.tone === 'unsure' ? 'Done, but' : 'Done',
    title,
    text: `${what} ${next}${proof}`,
    numbers: [
      { label: 'Took', value: seconds.toFixed(1), unit: 's' },
      ...(nothing
        ? []
        : [{ label: 'Speed', value: kilobytesPerSecond(written / Math.max(seconds, 0.001)), unit: 'kB/s' }]),
    ],
    action: 'again',
    label: 'Flash again',
    primary: true,
    done: 1,
  };
}

function failed(flash: FlashState): AnswerView {
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

/** Returns true if the answer's button writes from here, so that it can be pressed. */
export function canWrite({
  flash,
  list,
  changes,
  family,
}: Pick<AnswerFacts, 'flash' | 'list' | 'changes' | 'family'>): boolean {
  const planned = isReady(flash) && flash.plan !== null && flash.plan.refusals.length === 0;
  const restarted = flash.phase === 'running' && wrongChipFiles(list, flash.board) === null;
  return (planned || restarted) && faultOf(list, family) === null && list.length + changes.length > 0;
}
