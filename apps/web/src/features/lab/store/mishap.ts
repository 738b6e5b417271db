/** Converts a thrown error to a message with its remedy. */
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { LabMishap } from '../../../protocol/lab-protocol.ts';

/** @param error Rejection of a call. The host adds the rest of the information to its code. */
export function mishapFrom(error: unknown): LabMishap {
  if (error instanceof CallError && isMishap(error.detail)) {
    return error.detail;
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: null, message, remedy: null, detail: null };
}

/** Returns the failure of a browser that did not open its dialog. */
export function refusedMishap(error: unknown): LabMishap {
  const { message } = mishapFrom(error);
  return {
    code: 'permission-denied',
    message: 'The browser does not let this page open serial ports.',
    remedy: 'Check what the site may do in the browser’s settings, then try again.',
    detail: message,
  };
}

function isMishap(detail: unknown): detail is LabMishap {
  return typeof detail === 'object' && detail !== null && 'code' in detail && 'message' in detail && 'remedy' in detail;
}
