/** Faults that may be no more than a disturbance on the way, and how often a step is done again for them. */
import { NordicError, type NordicFailure } from './nordic-failure.ts';

/** Faults in a row, without anything done between them, that end the work. */
export const TRIES = 3;

/** Doing it again may cure it: silence, a damaged answer, a wrong checksum. A refusal is never one. */
export class Disturbance extends NordicError {
  constructor(code: NordicFailure, detail: string) {
    super(code, { detail });
    this.name = 'NordicError';
  }
}
