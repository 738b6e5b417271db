/** Converts a thrown error to a message with its remedy. */
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { LabFailure } from '../../../protocol/lab-protocol.ts';

/** @param error Rejection of a call. The host adds the rest of the information to its code. */
export function failureFrom(error: unknown): LabFailure {
  if (error instanceof CallError && isLabFailure(error.detail)) {
    return error.detail;
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: null, message, remedy: null, detail: null };
}

/** Returns the failure of a browser that did not open its dialog. */
export function refusedPick(error: unknown): LabFailure {
  const { message } = failureFrom(error);
  return {
    code: 'permission-denied',
    message: 'The browser does not let this page open serial ports.',
    remedy: 'Check what the site may do in the browser’s settings, then try again.',
    detail: message,
  };
}

function isLabFailure(detail: unknown): detail is LabFailure {
  return typeof detail === 'object' && detail !== null && 'code' in detail && 'message' in detail && 'remedy' in detail;
}
