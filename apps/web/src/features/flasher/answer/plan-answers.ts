/** Answers about a plan: what a write will do, why nothing can be written, and what is still under way before it. */
import { baseName } from '@wirebench/flasher/core';
import { otherVersionText } from '@wirebench/flasher/release/builds';
import type { Finding } from '../../../protocol/flash-protocol.ts';
import { clockText as timeOfDayText } from '../../../shared/dates/dates.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { overlapCount } from '../files/write-list.ts';
import { type FlashState, isReady } from '../state/flash-state.ts';
import { erasedBy, type PlannedChange } from '../store/board-changes.ts';
import type { ChangedFile, FileFault, FileFaultCode } from '../store/disk-files.ts';
import { type AnswerFacts, type AnswerView, type BuildFact, noNumbers } from './answer-facts.ts';
import { filesText, listFault, listSize } from './listed-files.ts';
import { changesTitle, joined, joinedFew, planText, planTitle } from './plan-words.ts';
import { wrongChipFiles } from './wrong-chip.ts';

/** Warnings after which the board would not start. The remedy is then the main button. */
const grave: readonly string[] = ['not-a-bootloader', 'not-a-table', 'app-misplaced'];

export function planAnswer(facts: AnswerFacts): AnswerView {
  const { flash, list, changes, family, stop = null } = facts;
  const label = writeLabel(list.length, changes);
  const erases = list.length === 0 && erasedBy(changes) !== null;
  const common = { region: 'Plan', numbers: noNumbers, action: 'write', label, ...eraseManner(list, changes) } as const;
  if (stop !== null) {
    return stoppedAnswer(stop);
  }
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
  const fault = listFault(list, family);
  if (fault !== null) {
    const overlaps = overlapCount(list);
    return {
      ...common,
      tone: 'warning',
      tag: 'Plan',
      title: fault.startsWith('Choose') ? fault : `${fault} to start`,
      text: fault.startsWith('Choose')
        ? `Its row offers the areas of the board, or takes an ${family.addresses.word}.`
        : overlaps === 0
          ? 'Its field says what is wrong.'
          : overlaps === 1
            ? '1 overlap'
            : `${overlaps} overlaps`,
      blocked: true,
    };
  }
  if (found === null) {
    return flash.phase === 'running' ? { ...again(facts, label), ...eraseManner(list, changes) } : comparing(label);
  }
  const [refusal] = found.refusals;
  if (refusal?.code === 'build-not-loaded') {
    const again = { action: 'load-again', label: 'Try again' } as const;
    return { ...notPossible, ...again, title: bare(refusal.what), text: refusal.remedy, says: [refusal] };
  }
  if (refusal?.code === 'larger-than-partition') {
    const change = { action: 'open-offset', label: `Change the ${family.addresses.word}` } as const;
    return { ...notPossible, ...change, title: bare(refusal.what), text: refusal.remedy, says: [refusal] };
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
  const held = flash.held
    ? `Nothing was written yet${flash.heldText == null ? changedText : `. ${flash.heldText}`} `
    : '';
  return {
    ...common,
    tone: flash.held ? 'warning' : 'accent',
    tag: flash.held ? 'Your decision' : 'Plan',
    title: planTitle(list.length, changes, found),
    text: `${builtText(facts.changed)}${held}${planText(found, family, true, erases)}`,
    primary: (found.toWrite > 0 || changes.length > 0) && !erases,
  };
}

const changedText = ': the plan has changed. Look at it, then press Write.';

/** Nothing can be written before the files are put right, or a build is chosen. */
function stoppedAnswer({ code, what, remedy }: Finding): AnswerView {
  return code === 'several-builds'
    ? {
        ...notPossible,
        tone: 'warning',
        tag: 'Plan',
        title: bare(what),
        text: remedy,
        label: 'Write',
        action: 'write',
        blocked: true,
      }
    : { ...notPossible, title: bare(what), text: `Nothing was written. ${remedy}` };
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
export function withoutBuildAnswer(build: BuildFact, { plan: found }: FlashState): AnswerView {
  if (build.state === 'other-version') {
    const { title, text, label } = otherVersionText(build.board, build.version);
    return {
      ...notPossible,
      tone: 'accent',
      tag: 'Plan',
      title,
      text: `${text} Nothing is written before you say so.`,
      says: found?.refusals ?? [],
      action: 'other-version',
      label,
    };
  }
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
  const size = list.length === 0 ? '' : `, ${sizeText(listSize(list))}`;
  return {
    region: 'Plan',
    tone: 'accent',
    tag: 'Plan',
    title: `${changesTitle(list.length, changes)}${size}`,
    text: `${builtText(changed)}The board runs its program. Write connects again by itself.`,
    numbers: noNumbers,
    action: 'write',
    label,
    primary: true,
  };
}

/** Manner of the main button for a plan that only erases: red, and asked before if it takes all of the board. */
function eraseManner(list: readonly unknown[], changes: readonly PlannedChange[]): Pick<AnswerView, 'danger' | 'asks'> {
  return list.length > 0 || erasedBy(changes) === null
    ? {}
    : { danger: true, ...(changes.some(({ isWholeErase }) => isWholeErase) && { asks: true }) };
}

/** Names the newest file that was read again: `weather-node.bin was built again at 14:31. ` */
function builtText(changed: readonly ChangedFile[]): string {
  const [newest] = changed.toSorted((one, other) => other.at - one.at);
  return newest === undefined ? '' : `${newest.name} was built again at ${timeOfDayText(newest.at)}. `;
}

const faultTitles = {
  changed: (names, one) => `${names} ${one ? 'has' : 'have'} changed since you chose ${one ? 'it' : 'them'}`,
  gone: (names, one) => `${names} ${one ? 'is' : 'are'} not there any more`,
  refused: (names) => `The page may not read ${names} any more`,
  busy: (names, one) => `${names} ${one ? 'is' : 'are'} being written by another program`,
} satisfies Record<FileFaultCode, (names: string, one: boolean) => string>;

const faultTexts = {
  changed: 'The browser does not let the page read a file that has changed. Choose it again.',
  gone: 'Build it again, or choose other files.',
  refused: 'Choose it again to let the page read it.',
  busy: 'Wait until the build has finished, then choose it again.',
} satisfies Record<FileFaultCode, string>;

/** Maximum number of files that the title names. */
const maxNamedFiles = 2;

/** The newest contents of a file cannot be read, so nothing is written. */
export function faultyFileAnswer(faults: readonly FileFault[], changes: readonly PlannedChange[]): AnswerView {
  const code = faults[0]?.code ?? 'changed';
  const names = faults.filter((fault) => fault.code === code).map(({ name }) => baseName(name));
  const named = joinedFew(names, maxNamedFiles);
  const isOfChange = changes.some((change) => isMadeFrom(change, faults));
  const remedy = isOfChange ? 'Remove it from the plan, and add it again in its view.' : faultTexts[code];
  return {
    ...notPossible,
    title: faultTitles[code](named, names.length === 1),
    text: `Nothing was written. ${remedy}`,
    action: isOfChange ? 'drop-change' : 'choose-again',
    label: isOfChange ? 'Remove it from the plan' : 'Choose it again',
  };
}

/** Returns true if the bytes of the change came from one of these files. */
export const isMadeFrom = ({ madeFrom = [] }: PlannedChange, faults: readonly FileFault[]): boolean =>
  madeFrom.some(({ name }) => faults.some((fault) => fault.name === name));

/** Words of the button that carries out the plan. */
function writeLabel(files: number, changes: readonly PlannedChange[]): string {
  const erased = files === 0 ? erasedBy(changes) : null;
  if (erased !== null) {
    return `Erase ${joinedFew(erased, maxNamedFiles)}`;
  }
  const count = changes.reduce((sum, change) => sum + change.count, 0);
  const parts = [
    ...(files > 0 ? [filesText(files)] : []),
    ...(count > 0 ? [count === 1 ? '1 change' : `${count} changes`] : []),
  ];
  return `Write ${joined(parts)}`;
}

/** Removes the full stop: titles have none. */
const bare = (sentence: string) => sentence.replace(/\.$/, '');

/** Returns true if the answer's button writes from here, so that it can be pressed. */
export function canWrite({
  flash,
  list,
  changes,
  family,
  stop = null,
}: Pick<AnswerFacts, 'flash' | 'list' | 'changes' | 'family' | 'stop'>): boolean {
  const planned = isReady(flash) && flash.plan !== null && flash.plan.refusals.length === 0;
  const restarted = flash.phase === 'running' && wrongChipFiles(list, flash.board) === null;
  return (
    stop === null && (planned || restarted) && listFault(list, family) === null && list.length + changes.length > 0
  );
}
