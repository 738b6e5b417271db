/**
 * State that a flasher page shows and that lasts as long as the document: each board's flash, the files, the settings,
 * and the log. Each family has its own. Only the actions in this folder change it.
 */
import type { FamilyId } from '@wirebench/boards';
import { releaseLimits } from '@wirebench/contract/constants';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { ComponentType } from 'react';

import type { ChosenFiles, FileOrigin, FlashLine } from '../../../protocol/flash-protocol.ts';
import { type PageStore, pageStore } from '../../../shared/page-store.ts';
import type { ChosenRelease, MonitorMessages, ReleaseError } from '../../../workbench/release/release.ts';
import type { AnswerView } from '../answer/answer-facts.ts';
import type { PageFamily } from '../page-family.ts';
import { type FlashAction, type FlashState, flashReducer, initialFlash } from '../state/flash-state.ts';
import { firstSettings, type WriteSettings } from '../state/write-settings.ts';
import type { ChangedFile, FileFault, GivenBatches } from './disk-files.ts';

export const maxFiles = releaseLimits.files;

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
  /** Files that the chosen ones came from, in the groups in which they were added. They are read again before a write. */
  readonly given: GivenBatches;
  /** Files that the user has removed, or replaced by others. */
  readonly withdrawn: readonly FileOrigin[];
  /** Reasons why chosen files cannot be written: their newest contents cannot be read. */
  readonly fileFaults: readonly FileFault[];
  /** Files that were read again since the last write, because a build has changed them. */
  readonly renewed: readonly ChangedFile[];
  /** Offsets as they were typed, by file id. A file without an entry has its own offset. */
  readonly typedOffsets: Readonly<Record<number, string>>;
  /** True: files are being read. */
  readonly reading: boolean;
  /** Files that opened this page, and the page that they were given to; null: a person opened it. */
  readonly arrival: { readonly from: FamilyId; readonly names: readonly string[] } | null;
  readonly settings: WriteSettings;
  readonly release: ChosenRelease | null;
  /** Files of the release's builds, by build id. */
  readonly buildFiles: Readonly<Record<string, BuildFiles>>;
  /** Builds that a person chose, by id; null: the board's facts choose. */
  readonly buildsByHand: Readonly<Record<PortNumber, string | null>>;
  /** Messages of the release; null until they are loaded. */
  readonly monitorMessages: MonitorMessages | null;
  /** Codes of overridden refusals, for this board and these files. */
  readonly overrides: Readonly<Record<PortNumber, readonly string[]>>;
  /** Newest line about each board. The log of the bench has all of them. */
  readonly lastLines: Readonly<Partial<Record<PortNumber, FlashLine>>>;
  /** True: every board that is plugged in is flashed automatically. */
  readonly batchMode: boolean;
  /** True: a board could not be connected since the page was opened, so that its ways into the bootloader are shown. */
  readonly connectFailed: boolean;
  /** True: *Restore a backup* was pressed, for a family that opens backups in a dialog. */
  readonly restoring: boolean;
  /** True: a part of what the board holds is open, with the plan beside it. */
  readonly editing: Readonly<Record<PortNumber, boolean>>;
  /** Boards that get each new build by themselves. Null: not watched. */
  readonly watches: Readonly<Record<PortNumber, ShownWatch | null>>;
}

/** A watch as the page shows it. Its code is loaded when the first watch begins. */
interface ShownWatch {
  /** Folder or file, and the list that names its files. */
  readonly place: string;
  /** Returns the answer of the watch, or `derived` while the user has to act on the plan or on a failure. */
  readonly answer: (derived: AnswerView, flash: FlashState) => AnswerView;
  readonly stop: () => void;
  /** Line of the build that is being written; null while none is. */
  readonly strip: string | null;
  /** Buttons of the monitor. */
  readonly Tools: ComponentType;
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
  given: [],
  withdrawn: [],
  fileFaults: [],
  renewed: [],
  typedOffsets: {},
  reading: false,
  arrival: null,
  settings: firstSettings(family),
  release: null,
  buildFiles: {},
  buildsByHand: noneByHand,
  monitorMessages: null,
  overrides: noOverrides,
  lastLines: {},
  batchMode: false,
  connectFailed: false,
  restoring: false,
  editing: { 1: false, 2: false, 3: false, 4: false },
  watches: { 1: null, 2: null, 3: null, 4: null },
});

/** State of the family that is shown, or was last. */
let store: PageStore<FlasherState> | null = null;
/** States of the families that this document has shown. */
const stores = new Map<FamilyId, PageStore<FlasherState>>();
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
    next = pageStore(nothing(family));
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

export function flasherStore(): PageStore<FlasherState> {
  if (store === null) {
    throw new Error('No flasher was started on this page.');
  }
  return store;
}

/** Returns the family of the page that is shown, or was last. */
export function pageFamily(): PageFamily {
  return flasherStore().getState().family;
}

export const askRestore = (): void => flasherStore().setState({ restoring: true });

export function useFlasher<Part>(select: (state: FlasherState) => Part): Part {
  return flasherStore().use(select);
}

/**
 * Selects a part of the flash state of the board in view. Progress comes twenty times a second, so select only the
 * values that are shown.
 */
export function useFlash<Part>(select: (flash: FlashState) => Part): Part {
  return useFlasher(({ flashes, selected }) => select(flashes[selected]));
}

export function useHasBoard(): boolean {
  return useFlash(({ board }) => board !== null);
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

/** Takes the lines about the boards, for the log of the bench. Null before a page is shown. */
let log: ((lines: readonly FlashLine[]) => void) | null = null;

export function setLog(take: (lines: readonly FlashLine[]) => void): void {
  log = take;
}

export function addLines(lines: readonly FlashLine[]): void {
  if (lines.length > 0) {
    flasherStore().setState(({ lastLines }) => ({
      lastLines: { ...lastLines, ...Object.fromEntries(lines.map((line) => [line.port, line])) },
    }));
    log?.(lines);
  }
}

export function say(port: PortNumber, level: FlashLine['level'], text: string): void {
  addLines([{ at: Date.now(), port, level, text }]);
}

/** Counts the ports that the flasher holds open. `subscribe` calls its listener when the count changes. */
export const heldPorts = {
  count(): number {
    const flashes = store?.getState().flashes;
    return portNumbers.filter((port) => flashes?.[port].holdsPort === true).length;
  },
  subscribe(listener: () => void): () => void {
    let last = heldPorts.count();
    return watchFlashers(() => {
      const now = heldPorts.count();
      if (now !== last) {
        last = now;
        listener();
      }
    });
  },
};
