/** Faults that another try may clear. */
import { NordicError, type NordicFailure } from './nordic-failure.ts';

/** Silence, a damaged answer, a wrong checksum. A refusal is never one. */
export class TransientError extends NordicError {
  constructor(code: NordicFailure, detail: string) {
    super(code, { detail });
    this.name = 'NordicError';
  }
}
