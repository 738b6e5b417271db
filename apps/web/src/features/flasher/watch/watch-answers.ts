/** Words of the answer and the log for a watched build. Pure functions of the state of the watch. */

import { erasedFlash } from '@wirebench/flasher/callers';
import type { ChosenFiles, PlanFacts } from '../../../protocol/flash-protocol.ts';
import { clockText } from '../../../shared/dates/dates.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import type { AnswerView } from '../answer/answer-facts.ts';
import { noNumbers } from '../answer/answer-facts.ts';
import { joined } from '../answer/plan-words.ts';
import { secondText } from '../board/as-it-was.ts';
import type { FlashPhase, FlashState } from '../state/flash-state.ts';

/** A build that was complete on the disk. */
export interface Build {
  /** Counted from 1 since the watch began. */
  readonly number: number;
  /** Time of its newest file, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** First eight digits of the application's SHA-256; null if the browser cannot hash. */
  readonly hash: string | null;
  /** Name and version in the application; null if it has neither. */
  readonly version: string | null;
}

export type WatchState =
  /** `same`: the latest build is what the board has. `skipped`: the user has skipped it. */
  | { readonly kind: 'waiting'; readonly note: 'same' | 'skipped' | null }
  /** @property blame Files that keep the build from being complete; empty while they only change. */
  | { readonly kind: 'building'; readonly since: number; readonly changed: number; readonly blame: string | null }
  | { readonly kind: 'working'; readonly build: Build }
  | { readonly kind: 'decision'; readonly build: Build; readonly why: string }
  | { readonly kind: 'impossible'; readonly build: Build; readonly title: string; readonly remedy: string }
  | { readonly kind: 'gone'; readonly build: Build }
  | { readonly kind: 'refused' };

export interface WatchFacts {
  readonly state: WatchState;
  /** Folder or file, and the list that names its files. */
  readonly name: string;
  /** Time of the start, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly written: number;
  /** The latest build that was written, and the seconds that it took from its last byte. */
  readonly last: { readonly build: Build; readonly seconds: number } | null;
}

/** Phases in which the answer is about what the user has begun, or about what ended it. */
const notOurs: readonly FlashPhase[] = [
  'connecting',
  'writing',
  'restarting',
  'working',
  'releasing',
  'failed',
  'cancelled',
];

/** True: the answer is that of the watch. False: it stays that of the plan, of a failure, or of other work. */
export function isOwnAnswer({ state, last }: WatchFacts, { phase, plan }: FlashState): boolean {
  if (state.kind !== 'waiting') {
    return true;
  }
  const isInBootloader = phase === 'detected' || phase === 'planning' || phase === 'planned';
  const isOffered = isInBootloader && last === null && state.note === null && plan?.toWrite !== 0;
  return !notOurs.includes(phase) && !isOffered;
}

/** Words of the answer, without its buttons' effects. `second`: label of the outlined button beside the main one. */
export type WatchWords = Pick<
  AnswerView,
  'region' | 'tone' | 'tag' | 'title' | 'text' | 'numbers' | 'label' | 'primary' | 'done' | 'bar'
> & { readonly second?: string };

export function watchWords(facts: WatchFacts, flash: FlashState): WatchWords {
  const { state, name } = facts;
  const board = flash.board?.name ?? 'The board';
  const watching = {
    region: 'Watch',
    tone: 'plain',
    tag: 'Watching',
    numbers: noNumbers,
    label: 'Stop watching',
  } as const;
  switch (state.kind) {
    case 'waiting':
      return { ...watching, title: 'Waiting for the next build', text: waitingText(facts), numbers: lastNumber(facts) };
    case 'building': {
      const count = `${state.changed} ${state.changed === 1 ? 'file' : 'files'} in ${name.split(',')[0]}`;
      const seconds = Math.round((Date.now() - state.since) / 1_000);
      return {
        ...watching,
        title: 'A build is running',
        text:
          state.blame ??
          `${count} ${state.changed === 1 ? 'has' : 'have'} changed. It is written when all of them have been still for 0.3 s.`,
        numbers: [{ label: 'So far', value: String(seconds), unit: 's' }],
      };
    }
    case 'working':
      return workingWords(state.build, flash);
    case 'decision':
      return {
        region: 'Plan',
        tone: 'warning',
        tag: 'Your decision',
        title: `Build ${state.build.number} is not written by itself`,
        text: state.why,
        numbers: noNumbers,
        label: `Write build ${state.build.number}`,
        primary: true,
        second: 'Skip it',
      };
    case 'impossible':
      return {
        ...watching,
        tone: 'bad',
        tag: 'Not possible',
        title: state.title,
        text: `Nothing was written. ${state.remedy}`,
      };
    case 'gone':
      return {
        ...watching,
        tag: 'Not connected',
        title: `${board} is unplugged`,
        text: `Build ${state.build.number} is ready and is written when it is back.`,
      };
    case 'refused':
      return {
        ...watching,
        tone: 'warning',
        title: `The page may not read ${name.split(',')[0]} any more`,
        text: 'The browser asks for it again after a reload. Nothing is written until you allow it.',
        label: `Let ${name.split(',')[0]} be read again`,
        primary: true,
        second: 'Stop watching',
      };
  }
}

function waitingText({ state, written, since, last }: WatchFacts): string {
  const note = state.kind === 'waiting' ? state.note : null;
  const count = `${written} ${written === 1 ? 'build' : 'builds'} written since ${clockText(since)}.`;
  const runs =
    last === null
      ? ''
      : ` The board runs ${last.build.version ?? `build ${last.build.number}`}, built at ${secondText(last.build.at)}.`;
  const same = note === 'same' ? 'The latest build is what the board has. Nothing was written. ' : '';
  const skipped = note === 'skipped' ? 'The latest build was skipped. ' : '';
  return `${same}${skipped}${count}${runs}`;
}

const lastNumber = ({ last }: WatchFacts) =>
  last === null ? noNumbers : [{ label: 'Last one', value: last.seconds.toFixed(1), unit: 's' }];

function workingWords(build: Build, { phase, plan, progress, cancelling }: FlashState): WatchWords {
  const size = plan === null || plan.refusals.length > 0 ? '' : `, ${partText(plan.toWrite, plan.same)}`;
  const done = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  if (phase === 'restarting' || phase === 'done') {
    return {
      region: 'Progress',
      tone: phase === 'done' ? 'good' : 'accent',
      tag: phase === 'done' ? 'Done' : 'Restarting',
      title: `Build ${build.number} is written${size}`,
      text: 'The board restarts.',
      numbers: noNumbers,
      label: 'Stop',
      done: 1,
      bar: 'Written and verified',
    };
  }
  const what = `${build.version ?? 'The build'}, built at ${secondText(build.at)}.`;
  return {
    region: 'Progress',
    tone: 'accent',
    tag: 'Writing',
    title: `Writing build ${build.number}${size}`,
    text: size === '' ? what : `${what} Everything else is there already.`,
    numbers: done === null ? noNumbers : [{ label: 'Done', value: String(Math.floor(done * 100)), unit: '%' }],
    label: cancelling ? 'Stopping…' : 'Stop',
    done,
    bar: 'Written and verified',
  };
}

/** `74.0 KB of 1.2 MB`. */
export const partText = (written: number, same: number): string =>
  `${sizeText(written)} of ${sizeText(written + same)}`;

/** Beginning of a build's line in the log: `Build 31 of 14:12:29, a1f09c3e`. */
export const buildText = ({ number, at, hash }: Build): string =>
  `Build ${number} of ${secondText(at)}${hash === null ? '' : `, ${hash}`}`;

/** A reason for a decision. `short` goes on in the log's line. */
export interface Reason {
  readonly text: string;
  readonly short: string;
}

/**
 * Returns why a plan is not carried out by itself; null if it is. A plan without refusals is expected.
 *
 * @param agreed Plan that was carried out last, or that the user saw when the watch began; null if there was none.
 */
export function reasonToAsk(plan: PlanFacts, agreed: PlanFacts | null, { files }: ChosenFiles): Reason | null {
  const tables = files.filter(({ what }) => what.startsWith('Partition table')).map(({ name }) => name);
  const isNewTable = plan.regions.some(({ file, same }) => same !== true && tables.includes(file));
  const lost = plan.map.flatMap(({ name, fate, length }) =>
    fate === 'erased' && name !== null ? [{ name, length }] : [],
  );
  const names = joined([...new Set(lost.map(({ name }) => name))]);
  const size = sizeText(lost.reduce((sum, { length }) => sum + length, 0));
  const known = (agreed?.warnings ?? []).map(({ code, files: of }) => `${code} ${of.join()}`);
  const warning = plan.warnings.find(({ code, files: of }) => !known.includes(`${code} ${of.join()}`));
  const losses = lost.length === 0 ? '' : ` What is in ${names} (${size}) would be lost.`;
  if (isNewTable) {
    return {
      text: `It brings another partition table.${losses}${warning === undefined ? '' : ` ${warning.what}`}`,
      short: 'it brings another partition table',
    };
  }
  if (plan.eraseAll) {
    const erased = erasedFlash(plan);
    return { text: `It erases ${erased} first.`, short: `it erases ${erased}` };
  }
  if (lost.length > 0) {
    return { text: `It erases ${names}.${losses}`, short: `it erases ${names}` };
  }
  const [taken] = plan.saved ?? [];
  if (taken !== undefined) {
    const fate = taken.isPutBack ? 'put back afterwards' : 'not put back';
    return {
      text: `It takes ${taken.area}. What is in there is saved to your downloads first, and ${fate}.`,
      short: `it takes ${taken.area}`,
    };
  }
  return warning === undefined
    ? null
    : { text: `${warning.what} ${warning.remedy}`.trim(), short: warning.what.replace(/\.$/, '') };
}
