/** Counts the bytes of a form while it arrives: a chunked body does not say beforehand how large it is. Knows no parts. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../api-error.ts';

/**
 * Fails the reading of `request` with a 413 once more than `mostBytes` have come, until its disposal. Call it right before
 * something else reads the request.
 */
export function limitForm(request: IncomingMessage, mostBytes: number): Disposable {
  let received = 0;
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > mostBytes) {
      request.off('data', count);
      request.unpipe();
      // The reader gets the error; the connection stays, so that the client gets the answer.
      request.emit('error', new ApiError('body-too-large'));
    }
  };
  request.on('data', count);
  return { [Symbol.dispose]: () => request.off('data', count) };
}
