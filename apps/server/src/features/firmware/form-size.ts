/** Counts the bytes of a form while it arrives: a chunked body does not say beforehand how large it is. Knows no parts. */
import type { IncomingMessage } from 'node:http';

/** Counts until its disposal. */
export interface FormSize extends Disposable {
  /** Whether more has come than may. */
  readonly isExceeded: boolean;
}

/**
 * Ends the reading of `request` with an error once more than `mostBytes` have come, as a broken connection would. To be called
 * right before something else reads it, and disposed of when that has ended.
 */
export function limitForm(request: IncomingMessage, mostBytes: number): FormSize {
  let received = 0;
  let isExceeded = false;
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > mostBytes) {
      isExceeded = true;
      request.off('data', count);
      request.unpipe();
      // Whoever reads it gets the error; the connection stays, so that the client gets the answer.
      request.emit('error', new Error(`More than ${mostBytes} bytes of a form have come`));
    }
  };
  request.on('data', count);
  return {
    get isExceeded() {
      return isExceeded;
    },
    [Symbol.dispose]: () => request.off('data', count),
  };
}
