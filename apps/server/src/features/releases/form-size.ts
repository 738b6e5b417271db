/** Counts the bytes of a form while it arrives, because a chunked body does not declare its length. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../api-error.ts';

/**
 * Fails the reading of `request` with a 413 after more than `maxBytes`, until it is disposed. Call it right before
 * the request is read.
 */
export function limitForm(request: IncomingMessage, maxBytes: number): Disposable {
  let received = 0;
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > maxBytes) {
      request.off('data', count);
      request.unpipe();
      // The reader gets the error. The connection stays open, so that the client gets the answer.
      request.emit('error', new ApiError('body-too-large'));
    }
  };
  request.on('data', count);
  return { [Symbol.dispose]: () => request.off('data', count) };
}
