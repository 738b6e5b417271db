/**
 * Listens through the open monitor to a board that was restarted after its write, and reports to the state of its
 * flash. Reads only the first lines: a board that prints more is running, and the user can read its log.
 */
import type { PortNumber } from '@wirebench/serial';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { isListening, type StartVerdict } from '../state/start-observation.ts';
import { filesFor } from './board-builds.ts';
import { dispatch, flasherStore, flashOf, pageFamily } from './flasher-store.ts';

/**
 * Time without output after which silence is meaningful, in milliseconds. Bootloader and a slow program need two or
 * three seconds.
 */
const silenceAfter = 5_000;
/** Pause between two reads of the log, in milliseconds. */
const lookPause = 200;
/** Maximum number of lines to read: dozens of restarts of a chip with empty flash. */
const maxLines = 400;

/** Functions that end the listening, by port. */
const listening = new Map<PortNumber, () => void>();

/** Returns the number of the line that comes next. */
export async function nextLine(): Promise<number> {
  const { rows } = await getBench().call('rows', { layout: 'text', anchor: 'tail', count: 1 });
  return (rows.at(-1)?.sequence ?? -1) + 1;
}

/**
 * Listens until `stopListening`, the next write, or the limit on lines.
 * @param from Number of the first line.
 */
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
  observe(port, { kind: 'silence' }, waited);
  const look = async () => {
    pause = undefined;
    looking = true;
    const { text, lines } = await textFrom(port, from);
    looking = false;
    if (signal.aborted) {
      return;
    }
    observe(port, pageFamily().readStart(text), waited);
    if (flashOf(port).phase !== 'done' || lines >= maxLines) {
      end();
    } else {
      lookSoon();
    }
  };
  // A bench that no longer answers is reported elsewhere.
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

/** Reports that the board has no port since its restart. */
export function observeAbsence(port: PortNumber): void {
  stopListening(port);
  observe(port, { kind: 'absent' }, true);
}

/** Adds what the written files and their plan say of the start. */
function observe(port: PortNumber, verdict: StartVerdict, waited: boolean): void {
  const { board, plan } = flashOf(port);
  // Another port can only be opened after the restart: what the program prints first is gone then.
  const isHeard = verdict.kind === 'absent' || (board?.console?.reset ?? null) !== null;
  const files = isHeard ? filesFor(flasherStore().getState(), port).files : [];
  const prints = files.find((file) => file.prints !== undefined)?.prints ?? null;
  const cannotStart = plan?.start?.result === 'no' ? plan.start.why : null;
  dispatch(port, {
    type: 'start-observed',
    startObservation: {
      verdict,
      waited,
      ...(prints !== null && { prints }),
      ...(cannotStart !== null && { cannotStart }),
    },
  });
}

/** Stops listening because the monitor is closed. A verdict remains, but a pending observation is removed. */
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
  const { rows } = await getBench().call('rows', { layout: 'text', anchor, count: maxLines, channels });
  const own = rows.filter(({ sequence }) => sequence >= from);
  return { text: own.map(({ text, open }) => (open ? text : `${text}\n`)).join(''), lines: own.length };
}
