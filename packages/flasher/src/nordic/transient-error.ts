/** Faults that another try may clear. */
import { NordicError, type NordicFailure } from './nordic-failure.ts';

/** Silence, a damaged answer, or a wrong checksum; also a refusal that a retry may clear. */
export class TransientError extends NordicError {
  constructor(code: NordicFailure, detail: string) {
    super(code, { detail });
    this.name = 'NordicError';
  }
}
