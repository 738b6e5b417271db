/**
 * Everything that the flasher's page shows and that lasts as long as the page: the course of each board, the files, how they are
 * written, and the log. Changed by the actions beside it only.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChosenFiles, FlashLine } from '../flash-protocol.ts';
import type { PageFamily } from '../page-family.ts';
import type { FlasherRelease, MonitorMessages } from '../release/flasher-release.ts';
import { type FlashAction, type FlashState, flashReducer, initialFlash } from '../state/flash-state.ts';
import { firstSettings, type WriteSettings } from '../state/write-settings.ts';

/** Lines of the log that are kept: a long session of bench work must not fill the page. */
const longestLog = 2_000;
/** So many of the oldest go at once: each time, all others move up and are painted anew. */
const forgottenAtOnce = 500;

export const mostFiles = 4;

export interface FlasherState {
  /** A page is one family's flasher, and stays it. */
  readonly family: PageFamily;
  readonly flashes: Readonly<Record<PortNumber, FlashState>>;
  /** The board that is looked at. */
  readonly selected: PortNumber;
  readonly chosen: ChosenFiles;
  /** Offsets as they were typed, by the id of the file; without one the file's own stands. */
  readonly typedOffsets: Readonly<Record<number, string>>;
  /** Files are being read. */
  readonly reading: boolean;
  readonly settings: WriteSettings;
  readonly release: FlasherRelease | null;
  /** Of the release, once they are there. */
  readonly monitorMessages: MonitorMessages | null;
  /** Refusals that were overridden, for this board and these files. */
  readonly overrides: Readonly<Record<PortNumber, readonly string[]>>;
  readonly lines: readonly FlashLine[];
  /** Every board that is plugged in is flashed by itself. */
  readonly batchMode: boolean;
}

const noFiles: ChosenFiles = { files: [], leftOut: [], conflicts: [] };

/** Other files, other boards: whoever insists has to insist anew. */
export const noOverrides: FlasherState['overrides'] = { 1: [], 2: [], 3: [], 4: [] };

const nothing = (family: PageFamily): FlasherState => ({
  family,
  flashes: { 1: initialFlash, 2: initialFlash, 3: initialFlash, 4: initialFlash },
  selected: 1,
  chosen: noFiles,
  typedOffsets: {},
  reading: false,
  settings: firstSettings(family),
  release: null,
  monitorMessages: null,
  overrides: noOverrides,
  lines: [],
  batchMode: false,
});

let store: StoreApi<FlasherState> | null = null;

/** Must be called once, before anything of the flasher is shown; in tests again, for a page that was just loaded. */
export function startFlasher(family: PageFamily): void {
  store = createStore(() => nothing(family));
}

export function flasherStore(): StoreApi<FlasherState> {
  if (store === null) {
    throw new Error('No flasher was started on this page.');
  }
  return store;
}

/** Never changes while a page is open. */
export function pageFamily(): PageFamily {
  return flasherStore().getState().family;
}

export function useFlasher<Part>(select: (state: FlasherState) => Part): Part {
  return useStore(flasherStore(), select);
}

/** A part of the course of the board that is looked at. Progress comes twenty times a second: ask for no more than is shown. */
export function useFlash<Part>(select: (flash: FlashState) => Part): Part {
  return useFlasher(({ flashes, selected }) => select(flashes[selected]));
}

/** All of it, for what shows the progress. */
export function useWholeFlash(): FlashState {
  return useFlasher(({ flashes, selected }) => flashes[selected]);
}

export function flashOf(port: PortNumber): FlashState {
  return flasherStore().getState().flashes[port];
}

/** @returns whether anything changed: an action out of turn, such as a second click, changes nothing */
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

/** Calls `listener` when the number of boards that must not be left changes. */
export const boardsAtWork = {
  count(): number {
    const { flashes } = flasherStore().getState();
    return portNumbers.filter((port) => ['writing', 'restarting', 'working'].includes(flashes[port].phase)).length;
  },
  subscribe(listener: () => void): () => void {
    let last = boardsAtWork.count();
    return flasherStore().subscribe(() => {
      const now = boardsAtWork.count();
      if (now !== last) {
        last = now;
        listener();
      }
    });
  },
};
