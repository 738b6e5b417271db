/** Converts a thrown error into a failure with its code and the state of the board. */
import { type BoardState, type CommonFailure, commonFailureText } from '@wirebench/flasher/core';
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { FlashFailureDetail } from '../../../protocol/flash-protocol.ts';
import type { FailureFacts } from './flash-state.ts';

/** Returns a failure that every family has. */
export function commonFailure(code: CommonFailure): FailureFacts {
  return { code, message: commonFailureText[code].what, detail: null, state: 'unchanged' };
}

/** @param error Rejection of a call. Its code is kept if the host has added a detail. */
export function failureFrom(error: unknown): FailureFacts {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CallError && isDetail(error.detail)) {
    const { detail, state } = error.detail;
    return { code: error.code, message, detail, state };
  }
  return { code: null, message, detail: null, state: 'unchanged' };
}

/** Returns true for a detail that `failureOf` in the flasher's host has written. Only failures of a board have one. */
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
