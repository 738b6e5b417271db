/** The facts from which the answer at the top of the page is derived, and the parts of an answer. */
import type { Receipt } from '@wirebench/flasher/receipt';
import type { ReactNode } from 'react';
import type { Finding } from '../../../protocol/flash-protocol.ts';
import type { ListedFile } from '../files/write-list.ts';
import type { PageFamily } from '../page-family.ts';
import type { FlashState } from '../state/flash-state.ts';
import type { PlannedChange, WrittenChanges } from '../store/board-changes.ts';
import type { ChangedFile, FileFault } from '../store/disk-files.ts';

type AnswerTone = 'plain' | 'accent' | 'good' | 'warning' | 'bad';

/**
 * Action of the main button. `choose-again`: chooses files again that cannot be read. `drop-change`: takes a change out of
 * the plan whose file cannot be read. `way`: the failure's own. `open-offset`: opens the field of the offset of the file that the
 * first warning is about. `own`: that of `AnswerView.own`.
 */
export type AnswerAction =
  | 'connect'
  | 'cancel'
  | 'choose'
  | 'choose-others'
  | 'choose-again'
  | 'drop-change'
  | 'connect-other'
  | 'other-version'
  | 'load-again'
  | 'open-offset'
  | 'write'
  | 'stop'
  | 'wait'
  | 'again'
  | 'way'
  | 'leave-batch'
  | 'own';

interface AnswerNumber {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

export interface AnswerView {
  /** Name of the section for assistive technology. `Failure`: a failure's card supplies title and sentence. */
  readonly region: 'Plan' | 'Progress' | 'Result' | 'Failure' | 'Watch';
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
  /** True: the main button is red, because it only erases. */
  readonly danger?: boolean;
  /** True: the main button asks before it acts. */
  readonly asks?: boolean;
  /** Progress, 0 to 1; null: its extent is unknown. Missing: nothing is under way. */
  readonly done?: number | null;
  /** Name of the progress bar. Missing: the progress is over. */
  readonly bar?: string;
  /** Signs and effects of an answer that a part of the page gives. Set for the action `own`. */
  readonly own?: OwnAnswer;
  /** Findings of the plan that the answer says, so that the list below leaves them out. */
  readonly says?: readonly Finding[];
}

interface OwnAnswer {
  readonly sign: ReactNode;
  readonly onPress: () => void;
  /** The outlined button beside the main one. Missing: there is none. */
  readonly second?: { readonly label: string; readonly onPress: () => void };
}

export interface AnswerFacts {
  /** Finding about the files that stops a write. Missing or null: none does. */
  readonly stop?: Finding | null;
  readonly flash: FlashState;
  readonly list: readonly ListedFile[];
  readonly changes: readonly PlannedChange[];
  /** Changes that the last write carried out. Missing or null: none. */
  readonly written?: WrittenChanges | null;
  readonly family: PageFamily;
  readonly receipt: Receipt | null;
  readonly monitorBaudRate: number;
  readonly batchMode: boolean;
  /** Build of a release for this board. Missing: there is nothing to say of it. */
  readonly build?: BuildFact;
  /** Chosen files that were read again since the last write, because they had changed on the disk. */
  readonly changed: readonly ChangedFile[];
  /** Files whose newest contents cannot be read, so that nothing may be written. Missing: none. */
  readonly fileFaults?: readonly FileFault[];
}

/** @property part Fraction of the bytes that have arrived, 0 to 1; null if it is unknown. */
export type BuildFact =
  | { readonly state: 'loading'; readonly name: string; readonly part: number | null }
  | { readonly state: 'refused'; readonly sentence: string; readonly remedy: string }
  /** Only another version of the release is for the board. */
  | { readonly state: 'other-version'; readonly board: string; readonly version: string };

export const noNumbers: readonly AnswerNumber[] = [];
