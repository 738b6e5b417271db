/** Writes a planned build to its board with progress, and continues a write that was interrupted. */
import type { WriteEvent, WriteStage } from '@wirebench/flasher/core';
import { make } from '../element/dom.ts';
import type { WirebenchFailureDetail, WirebenchProgressDetail } from '../public-types.ts';
import { failureOf, needsConnection } from './failure.ts';
import { findAgain } from './find-device.ts';
import type { FlashJob } from './flash-job.ts';
import { PlanReview, type PlanReviewParts } from './plan-review.ts';
import { reportFlash } from './report-flash.ts';
import { ProgressView } from './screens.ts';
import { SuccessScreen, type SuccessScreenParts } from './success-screen.ts';
import { phaseText } from './texts.ts';

type BoardWriteParts = Omit<PlanReviewParts, 'write'> & Omit<SuccessScreenParts, 'onReleased'>;

export class BoardWrite {
  readonly #parts: BoardWriteParts;
  readonly #success: SuccessScreen;
  readonly review: PlanReview;
  #isWriting = false;
  #progress: ProgressView | null = null;

  constructor(parts: BoardWriteParts) {
    this.#parts = parts;
    this.review = new PlanReview({ ...parts, write: (job) => void this.#write(job) });
    this.#success = new SuccessScreen({ ...parts, onReleased: () => this.guardPage(false) });
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

  /** @param isWriting True: leaving the page asks first. */
  guardPage(isWriting: boolean): void {
    this.#isWriting = isWriting;
    if (isWriting) {
      addEventListener('beforeunload', askToStay);
    } else {
      removeEventListener('beforeunload', askToStay);
    }
  }

  async #write(job: FlashJob): Promise<void> {
    const signal = this.#parts.work.begin();
    const { board } = job;
    const view = new ProgressView();
    this.#progress = view;
    this.guardPage(true);
    this.#showProgress();
    let stage: WriteStage = 'writing';
    try {
      const report = await board.write({
        signal,
        onStage: (next) => {
          stage = next;
          this.#report(view, { phase: stage, done: 0, total: 0, speed: null, remaining: null });
        },
        onEvent: (event) => this.#follow(view, event),
      });
      await this.#success.finish(job, report);
    } catch (error) {
      this.guardPage(false);
      // The erase is done once the writing has begun. It must not be repeated.
      const rest = stage === 'writing' ? { ...job, eraseAll: false } : job;
      this.#fail(rest, failureOf(error, job.remedyOf));
    }
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

  #fail(job: FlashJob, failure: WirebenchFailureDetail): void {
    const { board, release, version, build } = job;
    const { screen, back } = this.#parts;
    if (!board.isDemo && failure.code !== 'cancelled') {
      reportFlash(release, version, build, { result: 'failure', chip: board.chip, errorCode: failure.code });
    }
    if (!screen.isOver) {
      const run = () => void this.#resume(job, failure.code);
      screen.fail(failure, [{ label: 'Write the rest', isPrimary: true, run }, back(job)], 'Not finished');
    }
  }

  /** Continues a write. Equal regions are found by their hashes, so only the rest is written. */
  async #resume(job: FlashJob, code: string): Promise<void> {
    const { device, remedyOf } = job;
    const { screen, work, held, back } = this.#parts;
    const signal = work.begin();
    const run = () => void this.#resume(job, 'port-gone');
    const retry = [{ label: 'Write the rest', isPrimary: true, run }, back(job)];
    try {
      let { board } = job;
      if (needsConnection(code) || board.over.aborted) {
        if (!(await findAgain(device))) {
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

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
