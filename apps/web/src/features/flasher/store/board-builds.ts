/**
 * Builds of the release on the page. The build of each board is derived from the board's facts, never stored, so that
 * the next board gets its own. A person may choose among builds that the board's facts leave open. Files are loaded for
 * the first board that needs them, and kept until another version is chosen.
 */
import type { BuildChoice } from '@wirebench/flasher/release/builds';
import { chooseBuild, versionFor } from '@wirebench/flasher/release/builds';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { ChosenFiles, GivenFile, PlanFacts } from '../../../protocol/flash-protocol.ts';
import {
  buildSize,
  type ChosenRelease,
  ReleaseError,
  type ReleaseVersion,
  type VersionBuild,
} from '../../../workbench/release/release.ts';
import { getFlasher } from './flasher-line.ts';
import {
  type BuildFiles,
  type FlasherState,
  flasherStore,
  noneByHand,
  pageFamily,
  useFlasher,
} from './flasher-store.ts';

const nothing: ChosenFiles = { files: [], leftOut: [], conflicts: [] };

/** Builds for the family of the page, by all builds of the version. A loaded release belongs to one page. */
const ofFamily = new WeakMap<readonly VersionBuild[], readonly VersionBuild[]>();

/** Loads under way, by build id. */
const loads = new Map<string, { readonly ending: AbortController; readonly done: Promise<void> }>();

type BuildState = Pick<FlasherState, 'release' | 'family' | 'flashes' | 'buildsByHand'>;

/** Returns the builds of the release for this page's family; null without builds that boards choose from. */
export function buildsOf({
  release,
  family,
}: Pick<FlasherState, 'release' | 'family'>): readonly VersionBuild[] | null {
  if (release === null || !release.chosen.isPerBoard) {
    return null;
  }
  const all = release.chosen.builds;
  const known = ofFamily.get(all) ?? all.filter(({ deviceFamily }) => deviceFamily === family.name);
  ofFamily.set(all, known);
  return known;
}

/** Returns the build for the board at this port; null without builds or without a board. */
export function choiceFor(state: BuildState, port: PortNumber): BuildChoice<VersionBuild> | null {
  const builds = buildsOf(state);
  const { board } = state.flashes[port];
  if (builds === null || board === null) {
    return null;
  }
  const choice = chooseBuild(builds, state.family.buildFacts(board));
  const open = openBuilds(choice);
  const byHand = open.find(({ id }) => id === state.buildsByHand[port]);
  return byHand === undefined
    ? choice
    : { kind: 'chosen', build: byHand, undecided: open.filter((build) => build !== byHand) };
}

/** Returns another version of the release with a build for the board; null if this one has one, or none has. */
export function otherVersionFor(state: BuildState, port: PortNumber): ReleaseVersion | null {
  const { release, family, flashes } = state;
  const { board } = flashes[port];
  if (release === null || board === null) {
    return null;
  }
  const choice = choiceFor(state, port);
  if (choice?.kind === 'chosen' || (choice?.candidates.length ?? 0) > 0) {
    return null;
  }
  const versions = release.versions.map((version) => ({
    version,
    ...(version.channel !== undefined && { channel: version.channel }),
    builds: version.builds.filter(({ deviceFamily }) => deviceFamily === family.name),
  }));
  const facts = family.buildFacts(board);
  const others = versions.filter(({ version }) => version.id !== release.chosen.id);
  const isFitting = versions.some((one) => !others.includes(one) && versionFor([one], facts) !== null);
  return isFitting ? null : (versionFor(others, facts)?.version ?? null);
}

/** Returns the builds among which a person may choose for this board. */
export function openBuilds(choice: BuildChoice<VersionBuild>): readonly VersionBuild[] {
  return choice.kind === 'refused'
    ? choice.candidates
    : choice.undecided.length === 0
      ? []
      : [choice.build, ...choice.undecided];
}

/** Returns the build whose files are shown at this port: the board's, or the only one while no board is connected. */
export function shownBuild(state: BuildState, port: PortNumber): VersionBuild | null {
  const choice = choiceFor(state, port);
  if (choice !== null) {
    return choice.kind === 'chosen' ? choice.build : null;
  }
  const builds = buildsOf(state) ?? [];
  return builds.length === 1 ? (builds[0] ?? null) : null;
}

/** Returns the files to write to the board at this port. */
export function filesFor(
  state: BuildState & Pick<FlasherState, 'chosen' | 'buildFiles'>,
  port: PortNumber,
): ChosenFiles {
  if (buildsOf(state) === null) {
    return state.chosen;
  }
  const build = shownBuild(state, port);
  const files = build === null ? undefined : state.buildFiles[build.id];
  return files?.state === 'loaded' ? files.chosen : nothing;
}

/** Selects from the files for the board in view. */
export function useShownFiles<Part>(select: (chosen: ChosenFiles) => Part): Part {
  return useFlasher((state) => select(filesFor(state, state.selected)));
}

/** True: there is something to write, perhaps depending on the board. */
export const hasImage = (state: Pick<FlasherState, 'release' | 'family' | 'chosen'>): boolean =>
  state.chosen.files.length > 0 || (buildsOf(state)?.length ?? 0) > 0;

/** Loads the files of a build, unless they are there. Resolves when they are loaded, have failed or were cancelled. */
export function loadBuild(build: VersionBuild, onPart?: (part: number | null) => void): Promise<void> {
  const { state } = flasherStore().getState().buildFiles[build.id] ?? { state: 'none' };
  const running = loads.get(build.id);
  if (state === 'loaded' || running !== undefined) {
    return running?.done ?? Promise.resolve();
  }
  const ending = new AbortController();
  const done = loadNow(build, ending.signal, onPart).finally(() => {
    if (loads.get(build.id)?.ending === ending) {
      loads.delete(build.id);
    }
  });
  loads.set(build.id, { ending, done });
  return done;
}

async function loadNow(
  build: VersionBuild,
  signal: AbortSignal,
  onPart: (part: number | null) => void = () => undefined,
): Promise<void> {
  let shown: number | null = null;
  keep(build, { state: 'loading', part: null }, signal);
  try {
    const size = buildSize(build) ?? 0;
    const given = await build.load(signal, (received) => {
      // Whole percents limit the renders: a fast network delivers thousands of pieces.
      const part = size === 0 ? null : Math.floor((100 * received) / size) / 100;
      if (part !== shown) {
        shown = part;
        keep(build, { state: 'loading', part }, signal);
        onPart(part);
      }
    });
    signal.throwIfAborted();
    keep(build, { state: 'loaded', chosen: await give(build, given) }, signal);
  } catch (error) {
    const failure = signal.aborted ? signal.reason : error;
    if (failure instanceof Discarded) {
      return;
    }
    const message = failure instanceof Error ? failure.message : String(failure);
    const known =
      failure instanceof ReleaseError ? failure : new ReleaseError('The files could not be loaded', message);
    flasherStore().setState(({ buildFiles }) => ({
      buildFiles: { ...buildFiles, [build.id]: { state: 'failed', error: known } },
    }));
  }
}

async function give(build: VersionBuild, given: readonly GivenFile[]): Promise<ChosenFiles> {
  const chosen = await getFlasher().call('addFiles', given, build.id);
  const [left] = chosen.leftOut;
  if (chosen.files.length === 0) {
    const why = left === undefined ? 'It has no file for this board.' : `${left.name}: ${left.why}`;
    throw new ReleaseError('The files of this build cannot be written', why);
  }
  return chosen;
}

function keep(build: VersionBuild, files: BuildFiles, signal: AbortSignal): void {
  if (!signal.aborted) {
    flasherStore().setState(({ buildFiles }) => ({ buildFiles: { ...buildFiles, [build.id]: files } }));
  }
}

/** Reason of an abort after which the files are not needed. */
class Discarded extends Error {}

/** Cancels the loading of the files for the board at this port. */
export function cancelBuild(port: PortNumber): void {
  const build = shownBuild(flasherStore().getState(), port);
  const cancelled = new ReleaseError('You cancelled, so the files were not loaded', 'Nothing was written.');
  loads.get(build?.id ?? '')?.ending.abort(cancelled);
}

/** Forgets the files of all builds, because another release or version is on the page. */
export async function dropBuilds(): Promise<void> {
  for (const { ending } of loads.values()) {
    ending.abort(new Discarded());
  }
  loads.clear();
  const { buildFiles } = flasherStore().getState();
  flasherStore().setState({ buildFiles: {}, buildsByHand: noneByHand });
  for (const [id, files] of Object.entries(buildFiles)) {
    if (files.state === 'loaded') {
      const ids = files.chosen.files.map((file) => file.id);
      await getFlasher().call('removeFiles', ids, id);
    }
  }
}

export function chooseByHand(port: PortNumber, id: string | null): void {
  if (portNumbers.includes(port)) {
    flasherStore().setState(({ buildsByHand }) => ({ buildsByHand: { ...buildsByHand, [port]: id } }));
  }
}

/** Codes of refusals that this page makes itself, before the worker makes a plan. */
export type BuildRefusalCode = 'no-build' | 'build-not-loaded';

/** Returns a plan that is refused because there is no build, or because its files were not loaded. */
export function refusedPlan(code: BuildRefusalCode, what: string, remedy: string): PlanFacts {
  return {
    refusals: [{ code, files: [], what, remedy, overridable: false }],
    overridden: [],
    warnings: [],
    eraseAll: false,
    regions: [],
    map: [],
    toWrite: 0,
    same: 0,
    duration: 0,
  };
}

/** Text after the sentence that refuses a board. */
export function refusalRemedy(candidates: readonly VersionBuild[], batch: boolean): string {
  return candidates.length > 0
    ? 'Nothing was written. Choose its build above if you know the board, or connect another one.'
    : batch
      ? 'Nothing was written. Plug in another board.'
      : 'Nothing was written. Connect a board that the release is for.';
}

/** Returns true for a release that this page's boards can take. */
export function isForFamily(release: ChosenRelease): boolean {
  const { name } = pageFamily();
  return release.chosen.builds.some(({ deviceFamily }) => deviceFamily === name);
}
