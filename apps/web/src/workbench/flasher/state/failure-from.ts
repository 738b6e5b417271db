/** What was thrown → a failure with its code, and the state the board is in. */
import { type BoardState, type CommonFailure, commonFailureText } from '@wirebench/flasher/core';
import { CallError } from '../../calls/call-client.ts';
import type { FlashFailureDetail } from '../flash-protocol.ts';
import type { FailureFacts } from './flash-state.ts';

/** A failure that every family knows. */
export function commonFailure(code: CommonFailure): FailureFacts {
  return { code, message: commonFailureText[code].what, detail: null, state: 'unchanged' };
}

/** @param error what a call rejected with: its code is kept where the host has written a detail beside it. */
export function failureFrom(error: unknown): FailureFacts {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CallError && isDetail(error.detail)) {
    const { detail, state } = error.detail;
    return { code: error.code, message, detail, state };
  }
  return { code: null, message, detail: null, state: 'unchanged' };
}

/** Written by `failureOf` in the flasher's host, for failures of a board alone. */
function isDetail(detail: unknown): detail is FlashFailureDetail {
  const states: readonly unknown[] = [
    'unchanged',
    'erased',
    'incomplete',
    'damaged',
    'complete',
    'unverified',
  ] satisfies BoardState[];
  return typeof detail === 'object' && detail !== null && 'state' in detail && states.includes(detail.state);
}
