/** Answers about a plan: what a write will do, why nothing can be written, and what is still under way before it. */
import { clockText as timeOfDayText } from '../../../shared/dates/dates.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { overlapCount } from '../files/write-list.ts';
import { type FlashState, isReady } from '../state/flash-state.ts';
import type { PlannedChange } from '../store/board-changes.ts';
import { type AnswerFacts, type AnswerView, type BuildFact, noNumbers } from './answer-facts.ts';
import { filesText, listFault, listSize } from './listed-files.ts';
import { changesTitle, joined, planText, planTitle } from './plan-words.ts';
import { wrongChipFiles } from './wrong-chip.ts';

/** Warnings after which the board would not start. The remedy is then the main button. */
const grave: readonly string[] = ['not-a-bootloader', 'not-a-table'];

export function planAnswer(facts: AnswerFacts): AnswerView {
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
  const fault = listFault(list, family);
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
export function withoutBuildAnswer(build: BuildFact, { plan: found }: FlashState): AnswerView {
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

/** Removes the full stop: titles have none. */
const bare = (sentence: string) => sentence.replace(/\.$/, '');

/** Returns true if the answer's button writes from here, so that it can be pressed. */
export function canWrite({
  flash,
  list,
  changes,
  family,
}: Pick<AnswerFacts, 'flash' | 'list' | 'changes' | 'family'>): boolean {
  const planned = isReady(flash) && flash.plan !== null && flash.plan.refusals.length === 0;
  const restarted = flash.phase === 'running' && wrongChipFiles(list, flash.board) === null;
  return (planned || restarted) && listFault(list, family) === null && list.length + changes.length > 0;
}
