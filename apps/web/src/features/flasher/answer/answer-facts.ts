/** The facts from which the answer at the top of the page is derived, and the parts of an answer. */
import type { Receipt } from '@wirebench/flasher/receipt';
import type { Finding } from '../../../protocol/flash-protocol.ts';
import type { ListedFile } from '../files/write-list.ts';
import type { PageFamily } from '../page-family.ts';
import type { FlashState } from '../state/flash-state.ts';
import type { PlannedChange } from '../store/board-changes.ts';
import type { ChangedFile } from '../store/disk-files.ts';

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

export const noNumbers: readonly AnswerNumber[] = [];
