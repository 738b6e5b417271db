/** Plans for every board that waits in its bootloader, and plans again when files or settings change. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { PlanFacts, PlanRequest } from '../../../protocol/flash-protocol.ts';
import type { OwnSettings } from '../../../workbench/families.ts';
import { ReleaseError, type VersionBuild } from '../../../workbench/release/release.ts';
import { writeList } from '../files/write-list.ts';
import { failureFrom } from '../state/failure-from.ts';
import { isReady } from '../state/flash-state.ts';
import {
  choiceFor,
  chooseByHand,
  filesFor,
  loadBuild,
  refusalRemedy,
  refusedPlan,
  shownBuild,
} from './board-builds.ts';
import { changesOf, watchChanges } from './board-changes.ts';
import { getFlasher } from './flasher-line.ts';
import { dispatch, flasherStore, flashOf, pageFamily } from './flasher-store.ts';

/** Pause in typing after which the board is compared, in milliseconds. */
const typingPause = 300;

let lastTicket = 0;
/** Ticket of the latest comparison of each board. Answers with an older ticket are ignored. */
const newest = new Map<PortNumber, number>();
/** Latest comparison of each board; resolves when it has ended. */
const comparisons = new Map<PortNumber, Promise<void>>();

let waiting: ReturnType<typeof setTimeout> | undefined;
/** Boards that are planned after the pause. */
const due = new Set<PortNumber>();

/** Latest plan that was shown for each board. It lasts longer than the connection it was made in. */
const shown = new Map<PortNumber, PlanFacts>();

watchChanges((port) => planSoon([port]));

/** Returns the request for a plan; null while the files are not ready to be written. */
function planRequest(port: PortNumber): PlanRequest<OwnSettings> | null {
  const state = flasherStore().getState();
  const { typedOffsets, settings, release, overrides } = state;
  const chosen = filesFor(state, port);
  if (chosen.conflicts.some(({ stops }) => stops)) {
    return null;
  }
  const files = writeList(chosen.files, typedOffsets, pageFamily().addresses).flatMap(
    ({ id, typed: { offset, fault } }) => (offset === null || fault !== null ? [] : [{ id, offset }]),
  );
  const changes = changesOf(port).map(({ change }) => change);
  if ((files.length === 0 && changes.length === 0) || files.length < chosen.files.length) {
    return null;
  }
  const build = shownBuild(state, port);
  const guard = release && { model: build?.deviceModel ?? release.deviceModel, demo: release.demo };
  return { files, fileSet: build?.id, settings: settings.own, guard, overrides: overrides[port], changes };
}

/**
 * Discards plans, because they no longer match the files, settings or changes, and makes new ones after a pause.
 *
 * @param ports Default: all.
 */
export function planSoon(ports: readonly PortNumber[] = portNumbers): void {
  clearTimeout(waiting);
  for (const port of ports) {
    due.add(port);
    if (flashOf(port).phase === 'planning') {
      newest.delete(port);
      void getFlasher().call('cancel', port);
    }
    dispatch(port, { type: 'plan-outdated' });
  }
  waiting = setTimeout(() => {
    const planned = [...due];
    due.clear();
    for (const port of planned) {
      void planNow(port);
    }
  }, typingPause);
}

/** Makes the plan of one board again, without the pause. */
export async function planAtOnce(port: PortNumber): Promise<void> {
  due.delete(port);
  await untilCompared(port);
  dispatch(port, { type: 'plan-outdated' });
  await planNow(port);
}

/** Returns the plan that the user has seen last for this board; null if none was shown. */
export const shownPlan = (port: PortNumber): PlanFacts | null => flashOf(port).plan ?? shown.get(port) ?? null;

/**
 * Returns true if a plan can be carried out without another look at it: it has no refusal, and no warning and no erased
 * area that the plan before did not have.
 *
 * @param before Plan that the user has seen; null if none was shown.
 */
export function isAgreed(before: PlanFacts | null, now: PlanFacts | null): boolean {
  if (now === null || now.refusals.length > 0) {
    return false;
  }
  const findings = ({ warnings }: PlanFacts) => warnings.map(({ code, files }) => `${code} ${files.join()}`);
  const losses = ({ map, eraseAll }: PlanFacts) => [
    ...map.flatMap(({ name, fate }) => (fate === 'erased' && name !== null ? [name] : [])),
    ...(eraseAll ? ['everything'] : []),
  ];
  const seen = before === null ? [] : [...findings(before), ...losses(before)];
  const found = [...findings(now), ...(before === null ? [] : losses(now))];
  return found.every((one) => seen.includes(one));
}

/** Removes results, so that none is shown beside settings that it was not written with. */
export function outdateResults(): void {
  for (const port of portNumbers) {
    if (flashOf(port).phase === 'done') {
      dispatch(port, { type: 'plan-outdated' });
    }
  }
}

/** Makes the plan of one board. Resolves when it is made or has failed. Does nothing if there is nothing to plan. */
export async function planNow(port: PortNumber): Promise<void> {
  if (!isReady(flashOf(port))) {
    return;
  }
  due.delete(port);
  const state = flasherStore().getState();
  const choice = choiceFor(state, port);
  if (choice?.kind === 'refused') {
    const remedy = refusalRemedy(choice.candidates, state.batchMode);
    dispatch(port, { type: 'plan' });
    dispatch(port, { type: 'planned', plan: refusedPlan('no-build', choice.sentence, remedy) });
    return;
  }
  if (choice === null && planRequest(port) === null) {
    return;
  }
  dispatch(port, { type: 'plan' });
  const comparison = compare(port, choice?.build ?? null);
  comparisons.set(port, comparison);
  await comparison;
}

/**
 * Resolves when the board is no longer being compared with the files. A board does nothing else during a comparison.
 */
export async function untilCompared(port: PortNumber): Promise<void> {
  if (flashOf(port).phase === 'planning') {
    await comparisons.get(port);
  }
}

/** @param build Build whose files are loaded before; null if the files are there. */
async function compare(port: PortNumber, build: VersionBuild | null): Promise<void> {
  const ticket = ++lastTicket;
  newest.set(port, ticket);
  const fault = build === null ? null : await faultAfterLoading(build);
  if (newest.get(port) !== ticket) {
    return;
  }
  const request = planRequest(port);
  if (fault !== null || request === null) {
    const { title, message } =
      fault ?? new ReleaseError('The files of this build cannot be written', 'Nothing was written.');
    dispatch(port, { type: 'planned', plan: refusedPlan('build-not-loaded', `${title}.`, message) });
    return;
  }
  const outcome = await getFlasher()
    .call('plan', port, request)
    .then(
      (plan) => ({ type: 'planned', plan }) as const,
      (error: unknown) => ({ type: 'failed', failure: failureFrom(error) }) as const,
    );
  // The answer to an older request is about files that have changed since.
  if (newest.get(port) === ticket) {
    dispatch(port, outcome);
    if (outcome.type === 'planned') {
      shown.set(port, outcome.plan);
    }
  }
}

async function faultAfterLoading(build: VersionBuild): Promise<ReleaseError | null> {
  await loadBuild(build);
  const files = flasherStore().getState().buildFiles[build.id];
  return files?.state === 'failed' ? files.error : null;
}

/** Chooses among the builds that the board's facts leave open, and plans with its files. */
export function takeBuild(port: PortNumber, id: string): void {
  chooseByHand(port, id);
  planSoon([port]);
}

/** Overrides a refusal whose code the user has typed, for this board and these files. */
export function overrideRefusal(port: PortNumber, code: string): void {
  flasherStore().setState(({ overrides }) => ({ overrides: { ...overrides, [port]: [...overrides[port], code] } }));
  dispatch(port, { type: 'plan-outdated' });
  void planNow(port);
}
