/** A plan for every board that waits in its bootloader, made anew when files or settings change. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { OwnSettings } from '../families.ts';
import { writeList } from '../files/write-list.ts';
import type { PlanRequest } from '../flash-protocol.ts';
import { failureFrom } from '../state/failure-from.ts';
import { isReady } from '../state/flash-state.ts';
import { getFlasher } from './flasher-line.ts';
import { dispatch, flasherStore, flashOf, pageFamily } from './flasher-store.ts';

/** How long somebody has to stop typing before the board is asked, in milliseconds. */
const typingPause = 300;

let lastTicket = 0;
/** The last question that was asked for each board. */
const newest = new Map<PortNumber, number>();
/** Resolves when the board has been compared, for each that was. */
const comparisons = new Map<PortNumber, Promise<void>>();

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Null while the files are not ready to be written. */
function planRequest(port: PortNumber): PlanRequest<OwnSettings> | null {
  const { chosen, typedOffsets, settings, release, overrides } = flasherStore().getState();
  const files = writeList(chosen.files, typedOffsets, pageFamily().addresses).flatMap(
    ({ id, typed: { offset, fault } }) => (offset === null || fault !== null ? [] : [{ id, offset }]),
  );
  if (files.length === 0 || files.length < chosen.files.length) {
    return null;
  }
  const guard = release && { model: release.deviceModel, demo: release.demo };
  return { files, settings: settings.own, guard, overrides: overrides[port] };
}

/** What was planned is no longer what would be written. */
export function planSoon(): void {
  clearTimeout(waiting);
  for (const port of portNumbers) {
    if (flashOf(port).phase === 'planning') {
      newest.delete(port);
      void getFlasher().call('cancel', port);
    }
    dispatch(port, { type: 'plan-outdated' });
  }
  waiting = setTimeout(() => {
    for (const port of portNumbers) {
      void planNow(port);
    }
  }, typingPause);
}

/** A result does not stand beside settings that it was not written with. */
export function outdateResults(): void {
  for (const port of portNumbers) {
    if (flashOf(port).phase === 'done') {
      dispatch(port, { type: 'plan-outdated' });
    }
  }
}

/** Resolves when the plan stands, or cannot be made. Does nothing while there is nothing to plan. */
export async function planNow(port: PortNumber): Promise<void> {
  const request = planRequest(port);
  if (request === null || !isReady(flashOf(port))) {
    return;
  }
  dispatch(port, { type: 'plan' });
  const comparison = compare(port, request);
  comparisons.set(port, comparison);
  await comparison;
}

/** Resolves when the board is no longer compared with the files: until then it does nothing else. */
export async function untilCompared(port: PortNumber): Promise<void> {
  if (flashOf(port).phase === 'planning') {
    await comparisons.get(port);
  }
}

async function compare(port: PortNumber, request: PlanRequest<OwnSettings>): Promise<void> {
  const ticket = ++lastTicket;
  newest.set(port, ticket);
  const outcome = await getFlasher()
    .call('plan', port, request)
    .then(
      (plan) => ({ type: 'planned', plan }) as const,
      (error: unknown) => ({ type: 'failed', failure: failureFrom(error) }) as const,
    );
  // The answer to an older question holds for files that are others by now.
  if (newest.get(port) === ticket) {
    dispatch(port, outcome);
  }
}

/** The person has typed a refusal away, for this board and these files. */
export function overrideRefusal(port: PortNumber, code: string): void {
  flasherStore().setState(({ overrides }) => ({ overrides: { ...overrides, [port]: [...overrides[port], code] } }));
  dispatch(port, { type: 'plan-outdated' });
  void planNow(port);
}
