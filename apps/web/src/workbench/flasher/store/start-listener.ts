/**
 * Listens to a board that was restarted after its write, by the monitor that is open on it: what is heard goes to the course of
 * its flash. Looks at the first lines only; a board that says more than those is at work, and its log is there to be read.
 */
import type { PortNumber } from '@wirebench/serial';
import { getBench } from '../../bench.ts';
import { benchStatus } from '../../bench-status.ts';
import { isListening } from '../state/start-observation.ts';
import { dispatch, flashOf, pageFamily } from './flasher-store.ts';

/** After this time without a word, silence says something, in milliseconds. Bootloader and a slow program need two or three. */
const silenceAfter = 5_000;
/** Between two looks, in milliseconds. */
const lookPause = 200;
/** Lines that are looked at: dozens of rounds of an empty chip. */
const mostLines = 400;

/** By the port: what ends it. */
const listening = new Map<PortNumber, () => void>();

/** Number of the line that comes next. */
export async function nextLine(): Promise<number> {
  const { rows } = await getBench().call('rows', { layout: 'text', anchor: 'tail', count: 1 });
  return (rows.at(-1)?.sequence ?? -1) + 1;
}

/** Listens from now on until `stopListening`, the next write, or enough was said. @param from number of the first line */
export function listenToStart(port: PortNumber, from: number): void {
  stopListening(port);
  if (flashOf(port).phase !== 'done') {
    return;
  }
  const ending = new AbortController();
  const { signal } = ending;
  let waited = false;
  let received = -1;
  let looking = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  dispatch(port, { type: 'start-observed', startObservation: { verdict: { kind: 'silence' }, waited } });
  const look = async () => {
    pause = undefined;
    looking = true;
    const { text, lines } = await textFrom(port, from);
    looking = false;
    if (signal.aborted) {
      return;
    }
    dispatch(port, { type: 'start-observed', startObservation: { verdict: pageFamily().readStart(text), waited } });
    if (flashOf(port).phase !== 'done' || lines >= mostLines) {
      end();
    } else {
      lookSoon();
    }
  };
  // A bench that does not answer any more is told of elsewhere.
  const tryLook = () => void look().catch(() => stopListening(port));
  const lookSoon = () => {
    const now = benchStatus.tick.status.ports[port].received;
    if (now !== received && pause === undefined && !looking) {
      received = now;
      pause = setTimeout(tryLook, lookPause);
    }
  };
  const silence = setTimeout(() => {
    waited = true;
    clearTimeout(pause);
    tryLook();
  }, silenceAfter);
  const unwatch = benchStatus.onTick(lookSoon);
  const end = () => {
    ending.abort();
    unwatch();
    clearTimeout(silence);
    clearTimeout(pause);
    listening.delete(port);
  };
  listening.set(port, end);
  lookSoon();
}

/** The monitor is closed: what was heard stands, but nobody listens for more. */
export function stopListening(port: PortNumber): void {
  listening.get(port)?.();
  const { startObservation } = flashOf(port);
  if (startObservation !== null && isListening(startObservation)) {
    dispatch(port, { type: 'start-observed', startObservation: null });
  }
}

async function textFrom(port: PortNumber, from: number): Promise<{ text: string; lines: number }> {
  const anchor = { sequence: from, part: 0, offset: 0 };
  const channels = [`received-${port}` as const];
  const { rows } = await getBench().call('rows', { layout: 'text', anchor, count: mostLines, channels });
  const own = rows.filter(({ sequence }) => sequence >= from);
  return { text: own.map(({ text, open }) => (open ? text : `${text}\n`)).join(''), lines: own.length };
}
