/** Writes a planned build to its board with progress, and continues a write that was interrupted. */

import { phaseText, planText, titleOf } from '@wirebench/flasher/callers';
import {
  boardStateText,
  keepQuestion,
  type WriteEvent,
  type WriteReport,
  type WriteStage,
} from '@wirebench/flasher/core';
import type { WriteOptions } from '@wirebench/flasher/family';
import { missingBoardText } from '@wirebench/port/missing-board';
import { backgroundText, whileAwake } from '@wirebench/port/wake-lock';
import type { BoardPlan } from '../boards/button-board.ts';
import { make } from '../element/dom.ts';
import type { Action, FlashDialog } from '../element/flash-dialog.ts';
import type { WirebenchFailureDetail, WirebenchProgressDetail } from '../public-types.ts';
import type { CurrentWork } from './current-work.ts';
import { failureOf, needsConnection } from './failure.ts';
import { findAgain } from './find-device.ts';
import type { FlashJob, Offer } from './flash-job.ts';
import { reportFlash } from './report-flash.ts';
import { boardFacts, boardFiles, missingBoard, ProgressView, planFacts, question, saveBoardFile } from './screens.ts';
import type { SessionScreen } from './session-screen.ts';
import { SuccessScreen, type SuccessScreenParts } from './success-screen.ts';

interface PlanReviewParts {
  readonly dialog: FlashDialog;
  readonly screen: SessionScreen;
  readonly work: CurrentWork;
  /** Leads to the choice of another board. */
  readonly back: (offer: Offer) => Action;
  readonly write: (job: FlashJob) => void;
}

/** Shows a board and what a write will do, and asks whether stored settings are kept. */
class PlanReview {
  readonly #parts: PlanReviewParts;

  constructor(parts: PlanReviewParts) {
    this.#parts = parts;
  }

  plan({ board, build, release, files, eraseAll }: FlashJob, signal: AbortSignal): Promise<BoardPlan> {
    const { deviceModel: model, guards } = build;
    return board.plan({ files, model, guards, isDemoRelease: release.isDemo, eraseAll, signal });
  }

  /** @param focusesAnswer True: the focus is at the answer to the question about stored settings. */
  show(job: FlashJob, plan: BoardPlan, focusesAnswer = false): void {
    const { board, release, version, eraseAll } = job;
    const { screen, back, write } = this.#parts;
    const canWrite = plan.refusals.length === 0;
    // A page that proposes to erase asks in any case, so that a person can decide otherwise.
    const asked =
      canWrite && board.canEraseAll ? keepQuestion(eraseAll ? (plan.stored ?? undefined) : plan.stored) : null;
    const answers =
      asked === null
        ? null
        : question(asked.text, [
            {
              ...asked.keep,
              isChosen: !eraseAll,
              run: () => void this.#planAgain({ ...job, eraseAll: false }),
            },
            {
              ...asked.erase,
              isChosen: eraseAll,
              run: () => void this.#planAgain({ ...job, eraseAll: true }),
            },
          ]);
    const label = plan.toWrite === 0 && !plan.eraseAll ? 'Verify' : 'Write';
    screen.show(
      'planned',
      canWrite ? `Install ${titleOf(release.name, version.version)}` : 'This firmware cannot be written',
      [boardFacts(board), ...planFacts(plan), answers],
      [...(canWrite ? [{ label, isPrimary: true, run: () => write(job) }] : []), back(job)],
      canWrite ? planText(plan) : (plan.refusals[0]?.what ?? ''),
      (focusesAnswer && answers?.querySelector<HTMLElement>('input:checked')) || undefined,
    );
  }

  /** Plans with another answer to the question about stored settings. */
  async #planAgain(job: FlashJob): Promise<void> {
    const { dialog, screen, work, back } = this.#parts;
    const signal = work.begin();
    dialog.setActions([back(job)]);
    try {
      const plan = await this.plan(job, signal);
      if (!signal.aborted) {
        this.show(job, plan, true);
      }
    } catch (error) {
      if (!signal.aborted) {
        screen.fail(failureOf(error, job.remedyOf), [back(job)]);
      }
    }
  }
}

type BoardWriteParts = Omit<PlanReviewParts, 'write'> & Omit<SuccessScreenParts, 'onReleased'>;

/** Files of the board could not be saved before the write. */
class UnsavedError extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The files of this board could not be saved: ${why}`, { cause });
  }
}

/** The known part of a write that did not finish. */
type Interruption = Pick<WirebenchFailureDetail, 'code' | 'boardState'>;

export class BoardWrite {
  readonly #parts: BoardWriteParts;
  readonly #success: SuccessScreen;
  readonly review: PlanReview;
  #isWriting = false;
  #progress: ProgressView | null = null;

  constructor(parts: BoardWriteParts) {
    this.#parts = parts;
    this.review = new PlanReview({ ...parts, write: (job) => void this.#write(job) });
    this.#success = new SuccessScreen({ ...parts, onReleased: () => this.markEnded() });
  }

  /** True: leaving now interrupts a write. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  askToStop(): void {
    const { screen, work } = this.#parts;
    screen.show(
      'writing',
      'Stop writing?',
      [make('p', {}, 'The board will not start its program until the rest is written.')],
      [
        { label: 'Keep writing', isPrimary: true, run: () => this.#showProgress() },
        { label: 'Stop writing', run: () => work.cancel() },
      ],
      'Stop writing?',
    );
  }

  /** Notes that the write is over, also if the dialog was closed during it. */
  markEnded(): void {
    this.#isWriting = false;
  }

  /** @param saves False: a person gives up the files of the board that the write takes. */
  async #write(job: FlashJob, saves = true): Promise<void> {
    const signal = this.#parts.work.begin();
    const { board } = job;
    const view = new ProgressView();
    this.#progress = view;
    this.#isWriting = true;
    this.#showProgress();
    let stage: WriteStage = 'writing';
    let wasStopped = false;
    const { wakeLock } = navigator as { readonly wakeLock?: WakeLock };
    const awake = (act: () => Promise<WriteReport>) =>
      whileAwake({ wakeLock, document }, act, () => {
        wasStopped = true;
      });
    try {
      const options: WriteOptions = {
        signal,
        save: async (files) => {
          try {
            for (const file of files.filter(({ mayHoldSecrets }) => saves && mayHoldSecrets !== true)) {
              saveBoardFile(file);
            }
          } catch (error) {
            throw new UnsavedError(error);
          }
        },
        onStage: (next) => {
          stage = next;
          this.#report(view, { phase: stage, done: 0, total: 0, speed: null, remaining: null });
        },
        onEvent: (event) => this.#follow(view, event),
      };
      const report = await awake(() => board.write(options));
      await this.#success.finish(job, report);
    } catch (error) {
      this.#isWriting = false;
      if (error instanceof UnsavedError) {
        this.#askUnsaved(job, error);
        return;
      }
      // The erase is done once the writing has begun. It must not be repeated.
      const rest = stage === 'writing' ? { ...job, eraseAll: false } : job;
      this.#fail(rest, failureOf(error, job.remedyOf), wasStopped);
    }
  }

  /** Nothing was written, because files of the board could not be saved. */
  #askUnsaved(job: FlashJob, { message }: UnsavedError): void {
    const { screen, back } = this.#parts;
    const remedy = 'Try again. Without saving, the files that this board has are lost.';
    screen.fail(
      { code: 'files-not-saved', message, remedy, boardState: 'unchanged' },
      [
        { label: 'Try again', isPrimary: true, run: () => void this.#write(job) },
        { label: 'Write without saving', run: () => void this.#write(job, false) },
        back(job),
      ],
      'Nothing was written',
    );
  }

  #showProgress(): void {
    if (this.#progress !== null) {
      const view = this.#progress;
      this.#parts.screen.show(
        'writing',
        'Writing',
        [...view.children, make('p', {}, 'Leave the board plugged in.')],
        [{ label: 'Stop', run: () => this.askToStop() }],
        phaseText.writing,
      );
    }
  }

  #follow(view: ProgressView, event: WriteEvent): void {
    if (event.type === 'progress') {
      const { phase, done, total, speed, remaining } = event;
      this.#report(view, { phase, done, total, speed, remaining });
    }
  }

  #report(view: ProgressView, progress: Omit<WirebenchProgressDetail, 'percent'>): void {
    const { done, total } = progress;
    const detail = { ...progress, percent: total === 0 ? 0 : (done / total) * 100 };
    view.update(detail);
    this.#parts.send('wirebench-progress', detail);
  }

  /** @param wasStopped True: the page was in the background during the write. */
  #fail(job: FlashJob, failure: WirebenchFailureDetail, wasStopped: boolean): void {
    const { board, release, version, build } = job;
    const { screen, back } = this.#parts;
    if (!board.isDemo && failure.code !== 'cancelled') {
      reportFlash(release, version, build, { result: 'failure', chip: board.chip, errorCode: failure.code });
    }
    if (!screen.isOver) {
      const run = () => void this.#resume(job, failure);
      const files = failure.boardState === 'unchanged' ? [] : boardFiles(board.savedFiles);
      const { what, remedy } = backgroundText;
      const why =
        wasStopped && failure.code !== 'cancelled' ? [make('p', { class: 'alert' }, `${what} ${remedy}`)] : [];
      const more = [...why, ...files];
      screen.fail(failure, [{ label: 'Write the rest', isPrimary: true, run }, back(job)], 'Not finished', more);
    }
  }

  /** Continues a write. Equal regions are found by their hashes, so only the rest is written. */
  async #resume(job: FlashJob, { code, boardState }: Interruption): Promise<void> {
    const { device, remedyOf } = job;
    const { screen, work, held, back } = this.#parts;
    const signal = work.begin();
    const run = () => void this.#resume(job, { code: 'port-gone', boardState });
    const retry = [{ label: 'Write the rest', isPrimary: true, run }, back(job)];
    try {
      let { board } = job;
      if (needsConnection(code) || board.over.aborted) {
        const closed = await findAgain(device);
        if (closed !== null) {
          const state = make('p', {}, boardStateText[boardState]);
          const body = [state, missingBoard(closed)];
          screen.show('failure', 'Not finished', body, retry, missingBoardText.title);
          return;
        }
        const options = { signal, byHand: false, expectedId: board.id, actions: [back(job)] };
        const reached = await held.reach(device, options);
        if (reached.board === null) {
          return;
        }
        if (reached.board instanceof Error) {
          throw reached.board;
        }
        board = reached.board;
      }
      const next = { ...job, board };
      const plan = await this.review.plan(next, signal);
      if (signal.aborted) {
        return;
      }
      if (plan.refusals.length > 0) {
        this.review.show(next, plan);
      } else {
        await this.#write(next);
      }
    } catch (error) {
      if (!signal.aborted) {
        screen.fail(failureOf(error, remedyOf), retry, 'Not finished');
      }
    }
  }
}
