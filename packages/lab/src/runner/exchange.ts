/**
 * Sends frames with several in flight, within the size of the chip's receive ring. Short frames follow each other
 * without waiting, a long list goes alone. Answers come in order, one for each frame.
 */
import type { Clock } from '@wirebench/clock';
import type { CommandLink } from '@wirebench/flasher/esp/rom';
import type { LinkLimits } from '../chips/lab-chip.ts';
import type { WireRequest } from './wire-steps.ts';

/** Milliseconds for an answer, besides the time on the wire and the delays of a list. */
export const ANSWER_LIMIT = 500;

export type Outcome =
  | { readonly kind: 'answered'; readonly words: readonly number[] }
  /** An answer was lost, damaged, or a refusal. No answer to the frames in flight can be trusted. */
  | { readonly kind: 'lost'; readonly why: 'late' | 'refused' | 'astray' };

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly link: CommandLink;
  readonly limits: LinkLimits;
  /** Milliseconds for an answer, besides the time on the wire and the delays of a list. */
  readonly answerLimit: number;
  readonly signal: AbortSignal;
  /**
   * Called for each answer.
   *
   * @param duration Milliseconds since its request was sent.
   */
  readonly onRoundTrip: (duration: number) => void;
}

interface InFlight extends WireRequest {
  readonly sentAt: number;
}

/**
 * Sends all requests and collects the words of the reads.
 *
 * @throws PortError; the reason of the signal.
 */
export async function exchangeAll(
  requests: readonly WireRequest[],
  { clock, link, limits, answerLimit, signal, onRoundTrip }: ExchangeOptions,
): Promise<Outcome> {
  const inFlight: InFlight[] = [];
  const words: number[] = [];
  let next = 0;
  while (next < requests.length || inFlight.length > 0) {
    const ready: WireRequest[] = [];
    for (let request = requests[next]; request !== undefined; request = requests[next]) {
      if (!fits(request, [...inFlight, ...ready], limits)) {
        break;
      }
      ready.push(request);
      next++;
    }
    if (ready.length > 0) {
      link.submit(ready.map(({ request }) => request));
      inFlight.push(...ready.map((request) => ({ ...request, sentAt: clock.now() })));
    }
    const [oldest] = inFlight;
    if (oldest === undefined) {
      break;
    }
    const reply = await link.reply(answerLimit + oldest.delay + link.port.wireTime(bytesOf(inFlight)), signal);
    if (reply.kind !== 'done') {
      return { kind: 'lost', why: reply.kind };
    }
    onRoundTrip(clock.now() - oldest.sentAt);
    inFlight.shift();
    if (oldest.entries === null) {
      words.push(reply.answer.value);
    }
  }
  return { kind: 'answered', words };
}

/** Returns true if `request` may be sent behind `before`. The chip already works on the oldest of these. */
function fits(request: WireRequest, before: readonly WireRequest[], limits: LinkLimits): boolean {
  const [oldest, ...behind] = before;
  if (oldest === undefined) {
    return true;
  }
  const isShort = ({ entries }: WireRequest) => entries === null || entries <= limits.pipelinedList;
  const reads = before.filter(({ entries }) => entries === null).length;
  return (
    isShort(oldest) &&
    isShort(request) &&
    (request.entries !== null || reads < limits.readsInFlight) &&
    bytesOf([...behind, request]) <= limits.bytesBehind
  );
}

function bytesOf(requests: readonly WireRequest[]): number {
  return requests.reduce((sum, { request }) => sum + request.frame.length, 0);
}
