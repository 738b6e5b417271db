/**
 * Loads the release that the page's address names, once for each page, and places its files. The release's console
 * settings become the monitor's.
 */

import { useEffect, useRef, useState } from 'react';
import {
  buildSize,
  type ChosenRelease,
  type Release,
  ReleaseError,
  type ReleaseSource,
  type ReleaseVersion,
  type VersionBuild,
} from '../../../workbench/release/release.ts';
import { dropBuilds, isForFamily, loadBuild } from '../store/board-builds.ts';
import { giveFiles, removeAllFiles } from '../store/file-actions.ts';
import { flasherStore, pageFamily, say } from '../store/flasher-store.ts';
import { planSoon } from '../store/plan-actions.ts';

type ReleaseLoading =
  | { readonly state: 'none' }
  /** @property part Fraction of the bytes that have arrived, 0 to 1; null before the first. */
  | { readonly state: 'loading'; readonly part: number | null }
  | { readonly state: 'cancelled' }
  | { readonly state: 'loaded'; readonly release: ChosenRelease }
  /** The release is for another family of boards. */
  | { readonly state: 'elsewhere'; readonly release: ChosenRelease }
  | { readonly state: 'failed'; readonly error: ReleaseError };

interface Wanted {
  readonly release: Release | null;
  readonly version: ReleaseVersion | null;
}

export interface UsedRelease {
  readonly loading: ReleaseLoading;
  readonly again: () => void;
  /** Cancels the loading. Files that are already chosen stay. */
  readonly cancel: () => void;
  /** Loads another version of the same release. */
  readonly choose: (version: ReleaseVersion) => void;
}

function asReleaseError(error: unknown): ReleaseError {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ReleaseError ? error : new ReleaseError('The release could not be loaded', message);
}

/** Bytes that are loaded before a board is connected. A version with several builds loads none. */
const sizeOf = ({ builds }: ReleaseVersion): number =>
  builds.reduce((sum, build) => Math.max(sum, buildSize(build) ?? 0), 0);

/** Source of the release that was loaded last, by the state of the family. */
const loadedFrom = new WeakMap<object, ReleaseSource>();

/** True: nothing is to be loaded, because no release is named or this one was loaded at an earlier visit. */
const needsNothing = (source: ReleaseSource | null) => source === null || loadedFrom.get(flasherStore()) === source;

/** @param source Null if the address names no release. Must be the same on every render. */
export function useRelease(source: ReleaseSource | null): UsedRelease {
  /** The release of an earlier visit; null if this visit loads its own. */
  const [before] = useState(() => (needsNothing(source) ? flasherStore().getState().release : null));
  /** A new object starts another attempt. */
  const [wanted, setWanted] = useState<Wanted>({ release: before, version: null });
  const [loading, setLoading] = useState<ReleaseLoading>(() => {
    if (before !== null) {
      return { state: 'loaded', release: before };
    }
    return needsNothing(source) ? { state: 'none' } : { state: 'loading', part: null };
  });
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    if (needsNothing(source) && wanted.version === null) {
      return;
    }
    const ending = new AbortController();
    const { signal } = ending;
    running.current = ending;
    const run = async () => {
      setLoading({ state: 'loading', part: null });
      const found = wanted.release ?? (await source?.(signal));
      if (found === undefined) {
        return { state: 'none' } as const;
      }
      const version = wanted.version ?? found.usual;
      if (version === null) {
        throw new ReleaseError('This project has no version yet', 'Ask its publisher to add one, then try again.');
      }
      const release = { ...found, chosen: version };
      if (!isForFamily(release)) {
        return { state: 'elsewhere', release } as const;
      }
      const total = sizeOf(version);
      await loadVersion(release, signal, (received) => {
        if (!signal.aborted && total > 0) {
          // Whole percents limit the renders: a fast network delivers thousands of pieces.
          const part = Math.floor((100 * received) / total) / 100;
          setLoading((now) => (now.state === 'loading' && now.part === part ? now : { state: 'loading', part }));
        }
      });
      if (source !== null) {
        loadedFrom.set(flasherStore(), source);
      }
      return { state: 'loaded', release } as const;
    };
    run().then(
      (outcome) => {
        if (!signal.aborted) {
          setLoading(outcome);
        }
      },
      (error: unknown) => {
        if (!signal.aborted) {
          setLoading({ state: 'failed', error: asReleaseError(error) });
        }
      },
    );
    return () => ending.abort();
  }, [source, wanted]);
  return {
    loading,
    again: () => setWanted({ ...wanted }),
    cancel: () => {
      running.current?.abort();
      setLoading({ state: 'cancelled' });
    },
    choose: (version) => {
      if (loading.state === 'loaded') {
        setWanted({ release: loading.release, version });
      }
    },
  };
}

/**
 * Replaces the files by those of the chosen version.
 *
 * @param onProgress Receives the number of bytes of all files that have arrived.
 * @throws Error if a file cannot be loaded, or differs from the published one.
 */
export async function loadVersion(
  release: ChosenRelease,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<void> {
  const { chosen: version } = release;
  const [only, second] = version.builds.filter(({ deviceFamily }) => deviceFamily === pageFamily().name);
  const files = version.isPerBoard || only === undefined ? [] : await only.load(signal, onProgress);
  signal.throwIfAborted();
  await removeAllFiles();
  flasherStore().setState(({ settings }) => ({
    release,
    monitorMessages: null,
    settings: {
      ...settings,
      ...(version.console !== null && {
        monitorBaudRate: version.console.baudRate,
        lineEnding: version.console.lineEnding,
      }),
    },
  }));
  void loadMessages(version, signal);
  if (!version.isPerBoard) {
    await giveFiles(files);
    return;
  }
  if (only !== undefined && second === undefined) {
    await loadOnly(only, signal, onProgress);
  }
  planSoon();
}

/** Loads the files of a version with one build before a board is connected. Throws the failure as the page says it. */
async function loadOnly(
  build: VersionBuild,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<void> {
  const discard = () => void dropBuilds();
  signal.addEventListener('abort', discard);
  await loadBuild(build, (part) => part !== null && onProgress(Math.round(part * (buildSize(build) ?? 0))));
  signal.removeEventListener('abort', discard);
  signal.throwIfAborted();
  const files = flasherStore().getState().buildFiles[build.id];
  if (files?.state === 'failed') {
    await dropBuilds();
    flasherStore().setState({ release: null });
    throw files.error;
  }
}

/** Loads the publisher's messages. A release works without them, so their loss is only logged. */
async function loadMessages({ messages }: ReleaseVersion, signal: AbortSignal): Promise<void> {
  if (messages === null) {
    return;
  }
  try {
    const monitorMessages = await messages(signal);
    if (!signal.aborted) {
      flasherStore().setState({ monitorMessages });
    }
  } catch {
    if (!signal.aborted) {
      say(
        flasherStore().getState().selected,
        'info',
        'The JKit of this release could not be loaded: it may have been deleted or made private.',
      );
    }
  }
}
