/** Faults that another try may clear. */
import { NrfError, type NrfFailure } from './nrf-failure.ts';

/** Silence, a damaged answer, or a wrong checksum; also a refusal that a retry may clear. */
export class TransientError extends NrfError {
  constructor(code: NrfFailure, detail: string) {
    super(code, { detail });
    this.name = 'NrfError';
  }
}
