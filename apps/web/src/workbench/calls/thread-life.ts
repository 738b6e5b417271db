/**
 * How a page hears that a thread of its own has ended, whatever ended it: too little memory, the browser, or a fault. The thread
 * holds a lock for as long as it lives, and the browser gives it to the page when it ends. Without a secure context there are no
 * locks, and the page hears nothing.
 */

interface LifeMessage {
  readonly life: string;
}

/** In the thread: tells the page by which lock its life can be watched. */
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
 * On the page: calls `onEnd` once when the thread has ended. To be called before anybody else listens to the thread: its message is
 * kept from them. Returns what ends the watch, for who ends the thread on purpose.
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
