/** Why the server refuses a call: a closed list, each with its status and the sentence that a person reads. */

export type ErrorCode =
  | 'invalid-request'
  | 'feedback-sign-in-required'
  | 'feedback-access-denied'
  | 'not-found'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'database-unavailable'
  | 'identity-unavailable'
  | 'internal-error';

export const errorText = {
  'invalid-request': 'The request is not valid.',
  'feedback-sign-in-required': 'Please sign in to send feedback',
  'feedback-access-denied': "Access denied. You don't have permission to view feedback.",
  'not-found': 'There is nothing at this address.',
  'body-too-large': 'The request is too large.',
  'unsupported-media-type': 'This content type is not supported here.',
  'too-many-requests': 'Too many requests. Please wait a moment and try again.',
  'database-unavailable': 'The database does not answer. Please try again in a moment.',
  'identity-unavailable': 'The sign-in service does not answer. Please try again in a moment.',
  'internal-error': 'Something went wrong on the server. Please try again.',
} satisfies Record<ErrorCode, string>;

/** HTTP status of each code. */
export const errorStatus = {
  'invalid-request': 400,
  'feedback-sign-in-required': 401,
  'feedback-access-denied': 403,
  'not-found': 404,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  'database-unavailable': 503,
  'identity-unavailable': 503,
  'internal-error': 500,
} satisfies Record<ErrorCode, number>;
