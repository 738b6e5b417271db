/**
 * Has a board chosen again on a phone that left it at a restart. Loaded on phones alone. The work that waits goes on
 * when the board is chosen, and by itself if the browser reports the board first.
 */
import { systemClock } from '@wirebench/clock';
import { portNumbers } from '@wirebench/serial';
import { requestPort } from '../hardware/port-request.ts';
import type { BenchTick } from '../protocol/bench/bench-tick.ts';
import { dismissToast, toast } from '../shared/ui/toast.ts';
import { benchStatus } from './bench-status.ts';

/** Longest time in which the work that waits takes its board, in milliseconds. */
const FIND_TIME = 2_000;

/** Toast with the button; null while none is wanted. One that a person has closed does not come back. */
let shown: number | null = null;

/** Returns true while work waits for a board of this page that is gone. */
const isWanted = ({ status, devices }: BenchTick) =>
  portNumbers.some((port) => {
    const device = devices[port];
    return device?.isAwaited === true || (device?.kind === 'serial' && status.ports[port].state === 'reconnecting');
  });

export function offerToChooseAgain(): void {
  const follow = (tick: BenchTick) => {
    if (!isWanted(tick)) {
      end();
    } else if (shown === null) {
      show();
    }
  };
  follow(benchStatus.tick);
  benchStatus.onTick(follow);
}

function show(): void {
  shown = toast('The board has left the phone, as it does at a restart.', {
    level: 'info',
    stays: true,
    detail: 'Android asks each time who may use it. What is done so far is kept.',
    action: { label: 'Choose the board again', onAction: () => void choose() },
  });
}

function end(): void {
  if (shown !== null) {
    dismissToast(shown);
    shown = null;
  }
}

/** The permission is enough: page and worker look for ports that were permitted since. */
async function choose(): Promise<void> {
  try {
    if ((await requestPort()) !== null) {
      // The work that waits finds its board within moments, which ends the offer. Another board does not.
      await systemClock.sleep(FIND_TIME);
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    toast('The browser does not let this page use the board.', { level: 'error', detail });
  }
  shown = null;
}
