/** Two connected channels without threads, for tests. Messages arrive cloned, in a microtask. */
import type { Channel } from '../call-protocol.ts';

export function callLine(): { page: Channel; bench: Channel } {
  const ends = [new EventTarget(), new EventTarget()] as const;
  const end = (own: EventTarget, other: EventTarget): Channel => ({
    postMessage: (message) => {
      const data: unknown = structuredClone(message);
      queueMicrotask(() => other.dispatchEvent(new MessageEvent('message', { data })));
    },
    addEventListener: (type, listener) => own.addEventListener(type, (event) => listener(event as MessageEvent)),
  });
  return { page: end(ends[0], ends[1]), bench: end(ends[1], ends[0]) };
}
