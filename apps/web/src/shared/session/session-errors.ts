/** Errors of signing in and staying signed in, each with its text (docs/behaviour.md, "Sign-in"). */

export type SessionErrorCode =
  | 'no-valid-session'
  | 'cancelled'
  | 'popup-blocked'
  | 'storage-full'
  | 'offline'
  | 'no-answer'
  | 'expired'
  | 'renewal-failed'
  | 'request-failed';

export const sessionErrorText = {
  'no-valid-session': 'Authentication failed - no valid session found',
  cancelled: 'Authentication was cancelled',
  'popup-blocked': 'Failed to open popup. Please check your popup blocker settings.',
  'storage-full': "The browser's storage for this site is full. Delete some of this site's data, and sign in again.",
  offline: 'You are offline, and signing in needs the network. Connect, then try again.',
  'no-answer': 'The sign-in server did not answer. Check the connection, then try again.',
  expired: 'Session expired. Please refresh the page to re-authenticate.',
  'renewal-failed': 'Authentication error. Please refresh the page.',
  'request-failed': 'Request failed. Please try again.',
} satisfies Record<SessionErrorCode, string>;

export class SessionError extends Error {
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, options?: ErrorOptions) {
    super(sessionErrorText[code], options);
    this.name = 'SessionError';
    this.code = code;
  }
}
