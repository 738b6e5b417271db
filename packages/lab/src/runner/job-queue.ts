/**
 * Jobs that wait for the link. Jobs of a turn are sent and answered together. The ROM's answers do not say which
 * request they answer. Words therefore count only when all answers of the turn have come and no other. Macros that
 * must not be repeated therefore have a turn of their own.
 */
import type { LabPriority } from '../lab.ts';
import type { LabError } from '../lab-failure.ts';
import type { Macro } from '../macro.ts';
import type { WireStep } from './wire-steps.ts';

export interface MacroJob {
  readonly kind: 'macro';
  readonly macro: Macro<unknown>;
  readonly steps: readonly WireStep[];
  readonly priority: LabPriority;
  readonly settle: (words: readonly number[]) => void;
  readonly fail: (error: LabError) => void;
  /** True: the caller no longer waits for the result. */
  isCancelled: boolean;
}

/** A job with exclusive use of the link. */
export interface WorkJob {
  readonly kind: 'work';
  readonly run: () => Promise<void>;
  readonly fail: (error: LabError) => void;
}

/** Approximate maximum of frames in one turn, so that a user does not have to wait. */
const TURN_FRAMES = 64;

export class JobQueue {
  readonly #user: (MacroJob | WorkJob)[] = [];
  readonly #background: MacroJob[] = [];

  push(job: MacroJob | WorkJob): void {
    if (job.kind === 'macro' && job.priority === 'background') {
      this.#background.push(job);
    } else {
      this.#user.push(job);
    }
  }

  /** Returns the next job: one work job, or the macros of a turn; null if the queue is empty. */
  next(): WorkJob | readonly MacroJob[] | null {
    this.#dropCancelled();
    const [first] = this.#user;
    if (first?.kind === 'work') {
      this.#user.shift();
      return first;
    }
    if (first !== undefined && !isShared(first)) {
      this.#user.shift();
      return [first];
    }
    const turn: MacroJob[] = [];
    let frames = 0;
    for (let job = this.#user[0]; job?.kind === 'macro' && isShared(job); job = this.#user[0]) {
      frames += framesOf(job);
      if (turn.length > 0 && frames > TURN_FRAMES) {
        break;
      }
      turn.push(job);
      this.#user.shift();
    }
    // One background macro goes along behind the user's macros, so that the background never starves.
    const [background] = this.#background;
    if (background !== undefined && (turn.length === 0 || isShared(background))) {
      this.#background.shift();
      turn.push(background);
    }
    return turn.length === 0 ? null : turn;
  }

  /** Removes and returns all jobs. */
  drain(): (MacroJob | WorkJob)[] {
    return [...this.#user.splice(0), ...this.#background.splice(0)];
  }

  #dropCancelled(): void {
    for (const jobs of [this.#user, this.#background] as (MacroJob | WorkJob)[][]) {
      const left = jobs.filter((job) => job.kind === 'work' || !job.isCancelled);
      if (left.length < jobs.length) {
        jobs.splice(0, jobs.length, ...left);
      }
    }
  }
}

/** Returns true if the macro may share a turn. */
function isShared({ macro, steps }: MacroJob): boolean {
  return macro.repeatable && steps.every(({ kind }) => kind === 'requests');
}

function framesOf({ steps }: MacroJob): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'requests' ? step.requests.length : 1), 0);
}
