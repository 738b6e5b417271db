/**
 * Requests and their answers in order, each request sent when the one before it was answered. Where the board is somewhere else, the next requests
 * are sent ahead and wait beside the board, so that no round trip passes between them. Knows no protocol.
 */
import type { BytePort } from './byte-port.ts';

export interface AheadExchange<Step> {
  /** The next request; null while there is none. Asked again after each answer. */
  readonly next: () => Step | null;
  /** Requests that may be under way now: the one that the board works on, and those that wait beside it. 1 for a board that is here. */
  readonly ahead: () => number;
  /** Writes a request. @param before the one whose answer it waits for beside the board; null: it is written at once. */
  readonly send: (step: Step, before: Step | null) => void;
  /**
   * Waits for the answer to the oldest request. What it throws ends the exchange.
   * @param isAlone no other request is under way.
   * @returns false: it was not answered, and is sent again with all that are behind it.
   */
  readonly take: (step: Step, isAlone: boolean) => Promise<boolean>;
}

/** @throws what `take` throws; what waits beside the board is dropped then. */
export async function exchangeAhead<Step>(
  port: Pick<BytePort, 'dropWaiting'>,
  { next, ahead, send, take }: AheadExchange<Step>,
): Promise<void> {
  const underWay: Step[] = [];
  const sendNext = () => {
    const step = underWay.length < ahead() ? next() : null;
    if (step !== null) {
      const before = underWay.at(-1) ?? null;
      underWay.push(step);
      send(step, before);
    }
    return step !== null;
  };
  try {
    for (;;) {
      while (sendNext()) {
        // Until enough are under way.
      }
      const [step] = underWay;
      if (step === undefined) {
        return;
      }
      if (await take(step, underWay.length === 1)) {
        underWay.shift();
        continue;
      }
      if (underWay.length > 1) {
        port.dropWaiting();
      }
      for (const [index, again] of underWay.entries()) {
        send(again, underWay[index - 1] ?? null);
      }
    }
  } finally {
    if (underWay.length > 1) {
      port.dropWaiting();
    }
  }
}
