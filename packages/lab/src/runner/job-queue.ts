/**
 * What waits for the link. Jobs of a turn are sent together and answered together: only when all their answers have come, and no other,
 * do their words count, as the ROM's answers do not say what they answer. So macros that must not be repeated have a turn of their own.
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
  /** Nobody waits for it any more. */
  isCancelled: boolean;
}

/** Has the link for itself. */
export interface WorkJob {
  readonly kind: 'work';
  readonly run: () => Promise<void>;
  readonly fail: (error: LabError) => void;
}

/** Frames of one turn, about: so many that a person does not wait. */
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

  /** What is next: one work, or macros; null when nothing waits. */
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
    // One of the background goes along, behind what people wait for, so that it never starves.
    const [background] = this.#background;
    if (background !== undefined && (turn.length === 0 || isShared(background))) {
      this.#background.shift();
      turn.push(background);
    }
    return turn.length === 0 ? null : turn;
  }

  /** Takes everything out. */
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

/** Whether it may be in a turn with others. */
function isShared({ macro, steps }: MacroJob): boolean {
  return macro.repeatable && steps.every(({ kind }) => kind === 'requests');
}

function framesOf({ steps }: MacroJob): number {
  return steps.reduce((sum, step) => sum + (step.kind === 'requests' ? step.requests.length : 1), 0);
}
