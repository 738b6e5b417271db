/** Loads the release that the page's address names, once for each page. */
import { useEffect, useRef, useState } from 'react';
import { flasherStore } from '../store/flasher-store.ts';
import { loadVersion } from '../store/release-actions.ts';
import { isForFamily } from '../store/release-builds.ts';
import { type FlasherRelease, ReleaseError, type ReleaseVersion } from './flasher-release.ts';

export type ReleaseSource = (signal: AbortSignal) => Promise<FlasherRelease>;

type ReleaseLoading =
  | { readonly state: 'none' }
  /** @property part Fraction of the bytes that have arrived, 0 to 1; null before the first. */
  | { readonly state: 'loading'; readonly part: number | null }
  | { readonly state: 'cancelled' }
  | { readonly state: 'loaded'; readonly release: FlasherRelease }
  /** The release is for another family of boards. */
  | { readonly state: 'elsewhere'; readonly release: FlasherRelease }
  | { readonly state: 'failed'; readonly error: ReleaseError };

interface Wanted {
  readonly release: FlasherRelease | null;
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
const sizeOf = ({ files, builds }: ReleaseVersion): number =>
  builds === undefined
    ? files.reduce((sum, { size }) => sum + size, 0)
    : builds.reduce((sum, { size }) => Math.max(sum, size ?? 0), 0);

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
      const release = wanted.release ?? (await source?.(signal));
      if (release === undefined) {
        return { state: 'none' } as const;
      }
      if (!isForFamily(release)) {
        return { state: 'elsewhere', release } as const;
      }
      const version = wanted.version ?? release.chosen;
      const total = sizeOf(version);
      await loadVersion(release, version, signal, (received) => {
        if (!signal.aborted && total > 0) {
          // Whole percents limit the renders: a fast network delivers thousands of pieces.
          const part = Math.floor((100 * received) / total) / 100;
          setLoading((now) => (now.state === 'loading' && now.part === part ? now : { state: 'loading', part }));
        }
      });
      if (source !== null) {
        loadedFrom.set(flasherStore(), source);
      }
      return { state: 'loaded', release: { ...release, chosen: version } } as const;
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
