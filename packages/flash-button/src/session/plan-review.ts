/** Shows a board and what a write will do, and asks whether stored settings are kept. */
import type { BoardPlan } from '../boards/button-board.ts';
import type { Action, FlashDialog } from '../element/flash-dialog.ts';
import type { CurrentWork } from './current-work.ts';
import { failureOf } from './failure.ts';
import type { FlashJob, Offer } from './flash-job.ts';
import { boardFacts, planFacts, question } from './screens.ts';
import type { SessionScreen } from './session-screen.ts';
import { planText, titleOf } from './texts.ts';

export interface PlanReviewParts {
  readonly dialog: FlashDialog;
  readonly screen: SessionScreen;
  readonly work: CurrentWork;
  /** Leads to the choice of another board. */
  readonly back: (offer: Offer) => Action;
  readonly write: (job: FlashJob) => void;
}

export class PlanReview {
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
    const answers =
      canWrite && board.canEraseAll
        ? question('Stored Wi-Fi and settings', [
            { label: 'Keep them', isChosen: !eraseAll, run: () => void this.#planAgain({ ...job, eraseAll: false }) },
            {
              label: 'Erase everything first',
              isChosen: eraseAll,
              run: () => void this.#planAgain({ ...job, eraseAll: true }),
            },
          ])
        : null;
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
