/**
 * Informs a page that one of its workers has ended: by lack of memory, by the browser, or by a fault. The worker
 * holds a lock for its lifetime, and the browser grants it to the page when the worker ends. Without a secure context
 * there are no locks, and the page is not informed.
 */

interface LifeMessage {
  readonly life: string;
}

/** Sends the page the name of the lock that the worker holds. Call it in the worker. */
export function tellLife(thread: { postMessage(message: LifeMessage): void }): void {
  if (!('locks' in navigator)) {
    return;
  }
  const life = `wirebench-thread ${crypto.randomUUID()}`;
  void navigator.locks.request(life, () => {
    thread.postMessage({ life });
    return new Promise<void>(() => undefined);
  });
}

/**
 * Calls `onEnd` once when the thread has ended. Call it on the page before any other listener is added to the thread:
 * it consumes the thread's first message. Returns a function that stops the watch, for ending the thread on purpose.
 */
export function watchLife(thread: Worker, onEnd: () => void): () => void {
  let watching = true;
  const onMessage = (event: MessageEvent<object>) => {
    if (!isLife(event.data)) {
      return;
    }
    event.stopImmediatePropagation();
    thread.removeEventListener('message', onMessage);
    void navigator.locks.request(event.data.life, () => {
      if (watching) {
        onEnd();
      }
    });
  };
  thread.addEventListener('message', onMessage);
  return () => {
    watching = false;
  };
}

const isLife = (message: object): message is LifeMessage => 'life' in message;
