/** Failures between a host and a guest, as a closed list with a sentence for each. */

export type RemoteFailure =
  | 'no-link'
  | 'malformed'
  | 'wrong-version'
  | 'wrong-key'
  | 'forged'
  | 'replayed'
  | 'lost-frame'
  | 'exhausted'
  | 'fell-behind'
  | 'no-answer'
  | 'host-away'
  | 'not-allowed'
  | 'replaced'
  | 'no-such-room'
  | 'too-many'
  | 'too-slow'
  | 'idle'
  | 'expelled'
  | 'ended';

export const remoteFailureText = {
  'no-link': 'This is no link of a shared bench. Copy the whole link, from “http” to its end.',
  malformed: 'The other side sent something that cannot be read.',
  'wrong-version': 'The other side has another version of Wirebench. Reload both pages.',
  'wrong-key': 'The key in this link is not the key of the shared bench. Ask for the link again.',
  forged: 'A frame was changed on the way. It was not used.',
  replayed: 'A frame arrived twice. The second one was not used.',
  'lost-frame': 'A frame was lost on the way.',
  exhausted: 'This connection has sent as many frames as one key may seal.',
  'fell-behind': 'Too much was waiting for a connection that did not come back.',
  'no-answer': 'The other side did not answer in time.',
  'host-away': 'The shared bench did not come back.',
  'not-allowed': 'The server does not let you open this shared bench.',
  replaced: 'This shared bench was opened in another tab or window, which has taken the place of this one.',
  'no-such-room': 'There is no shared bench at this link. It may have ended.',
  'too-many': 'The shared bench is full.',
  'too-slow': 'The connection was too slow for what the bench sends.',
  idle: 'The connection was closed because nothing happened for too long.',
  expelled: 'The person who shares the bench has ended your visit.',
  ended: 'Sharing has ended.',
} satisfies Record<RemoteFailure, string>;

export class RemoteError extends Error {
  readonly code: RemoteFailure;

  constructor(code: RemoteFailure, options?: ErrorOptions) {
    super(remoteFailureText[code], options);
    this.name = 'RemoteError';
    this.code = code;
  }
}

/** Returns the code of a `RemoteError`. Any other error was thrown while reading a frame and counts as `malformed`. */
export function remoteFailureOf(error: unknown): RemoteFailure {
  return error instanceof RemoteError ? error.code : 'malformed';
}
