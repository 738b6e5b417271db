/**
 * State that a flasher page shows and that lasts as long as the document: each board's flash, the files, the settings,
 * and the log. Each family has its own. Only the actions in this folder change it.
 */
import type { FlasherFamily } from '@wirebench/contract/constants';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChosenFiles, FlashLine } from '../../../protocol/flash-protocol.ts';
import type { PageFamily } from '../page-family.ts';
import type { FlasherRelease, MonitorMessages, ReleaseError } from '../release/flasher-release.ts';
import { type FlashAction, type FlashState, flashReducer, initialFlash } from '../state/flash-state.ts';
import { firstSettings, type WriteSettings } from '../state/write-settings.ts';

/** Limit on log lines, so that a long session of batch mode does not fill the page. */
const longestLog = 2_000;
/** Number of oldest lines removed at once. Each removal moves all other lines and paints them again. */
const forgottenAtOnce = 500;

export const maxFiles = 4;

/** Files of a build: under way, failed or loaded. */
export type BuildFiles =
  /** @property part Fraction of the bytes that have arrived, 0 to 1; null if it is unknown. */
  | { readonly state: 'loading'; readonly part: number | null }
  | { readonly state: 'failed'; readonly error: ReleaseError }
  | { readonly state: 'loaded'; readonly chosen: ChosenFiles };

export interface FlasherState {
  /** Constant: each family has a state of its own. */
  readonly family: PageFamily;
  readonly flashes: Readonly<Record<PortNumber, FlashState>>;
  /** Port of the board in view. */
  readonly selected: PortNumber;
  readonly chosen: ChosenFiles;
  /** Offsets as they were typed, by file id. A file without an entry has its own offset. */
  readonly typedOffsets: Readonly<Record<number, string>>;
  /** True: files are being read. */
  readonly reading: boolean;
  readonly settings: WriteSettings;
  readonly release: FlasherRelease | null;
  /** Files of the release's builds, by build id. */
  readonly buildFiles: Readonly<Record<string, BuildFiles>>;
  /** Builds that a person chose, by id; null: the board's facts choose. */
  readonly buildsByHand: Readonly<Record<PortNumber, string | null>>;
  /** Messages of the release; null until they are loaded. */
  readonly monitorMessages: MonitorMessages | null;
  /** Codes of overridden refusals, for this board and these files. */
  readonly overrides: Readonly<Record<PortNumber, readonly string[]>>;
  readonly lines: readonly FlashLine[];
  /** True: every board that is plugged in is flashed automatically. */
  readonly batchMode: boolean;
}

const noFiles: ChosenFiles = { files: [], leftOut: [], conflicts: [] };

/** State after files or offsets have changed: overrides must be confirmed again. */
export const noOverrides: FlasherState['overrides'] = { 1: [], 2: [], 3: [], 4: [] };

export const noneByHand: FlasherState['buildsByHand'] = { 1: null, 2: null, 3: null, 4: null };

const nothing = (family: PageFamily): FlasherState => ({
  family,
  flashes: { 1: initialFlash, 2: initialFlash, 3: initialFlash, 4: initialFlash },
  selected: 1,
  chosen: noFiles,
  typedOffsets: {},
  reading: false,
  settings: firstSettings(family),
  release: null,
  buildFiles: {},
  buildsByHand: noneByHand,
  monitorMessages: null,
  overrides: noOverrides,
  lines: [],
  batchMode: false,
});

/** State of the family that is shown, or was last. */
let store: StoreApi<FlasherState> | null = null;
/** States of the families that this document has shown. */
const stores = new Map<FlasherFamily, StoreApi<FlasherState>>();
/** Listeners of every state that is shown. */
const watchers = new Set<() => void>();

/** Shows a family in its initial state. Tests call it again to get the state of a newly loaded page. */
export function startFlasher(family: PageFamily): void {
  stores.delete(family.name);
  switchFlasher(family);
}

/** Shows a family in the state in which it was left. Callers have ended the work of the family before. */
export function switchFlasher(family: PageFamily): void {
  let next = stores.get(family.name);
  if (next === undefined) {
    next = createStore(() => nothing(family));
    next.subscribe(tellWatchers);
    stores.set(family.name, next);
  }
  store = next;
  tellWatchers();
}

/** Returns the family that is shown, or was last; null before the first. */
export function shownFamily(): PageFamily | null {
  return store?.getState().family ?? null;
}

/** Calls `listener` after each change of the shown state, also of another family that is shown later. */
export function watchFlashers(listener: () => void): () => void {
  watchers.add(listener);
  return () => watchers.delete(listener);
}

function tellWatchers(): void {
  for (const listener of watchers) {
    listener();
  }
}

export function flasherStore(): StoreApi<FlasherState> {
  if (store === null) {
    throw new Error('No flasher was started on this page.');
  }
  return store;
}

/** Returns the family of the page that is shown, or was last. */
export function pageFamily(): PageFamily {
  return flasherStore().getState().family;
}

export function useFlasher<Part>(select: (state: FlasherState) => Part): Part {
  return useStore(flasherStore(), select);
}

/**
 * Selects a part of the flash state of the board in view. Progress comes twenty times a second, so select only the
 * values that are shown.
 */
export function useFlash<Part>(select: (flash: FlashState) => Part): Part {
  return useFlasher(({ flashes, selected }) => select(flashes[selected]));
}

/** Returns the whole flash state of the board in view, for components that show progress. */
export function useWholeFlash(): FlashState {
  return useFlasher(({ flashes, selected }) => flashes[selected]);
}

export function flashOf(port: PortNumber): FlashState {
  return flasherStore().getState().flashes[port];
}

/** @returns False if the action changed nothing, because it was out of turn, such as a second click. */
export function dispatch(port: PortNumber, action: FlashAction): boolean {
  const { flashes } = flasherStore().getState();
  const next = flashReducer(flashes[port], action);
  const changes = next !== flashes[port];
  if (changes) {
    flasherStore().setState({ flashes: { ...flashes, [port]: next } });
  }
  return changes;
}

export function addLines(lines: readonly FlashLine[]): void {
  if (lines.length > 0) {
    flasherStore().setState((state) => {
      const all = [...state.lines, ...lines];
      return { lines: all.length > longestLog ? all.slice(forgottenAtOnce - longestLog) : all };
    });
  }
}

export function say(port: PortNumber, level: FlashLine['level'], text: string): void {
  addLines([{ at: Date.now(), port, level, text }]);
}

/** Counts the boards that must not be left. `subscribe` calls its listener when the count changes. */
export const boardsAtWork = {
  count(): number {
    const flashes = store?.getState().flashes;
    return portNumbers.filter(
      (port) => flashes !== undefined && ['writing', 'restarting', 'working'].includes(flashes[port].phase),
    ).length;
  },
  subscribe(listener: () => void): () => void {
    let last = boardsAtWork.count();
    return watchFlashers(() => {
      const now = boardsAtWork.count();
      if (now !== last) {
        last = now;
        listener();
      }
    });
  },
};
