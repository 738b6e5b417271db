/**
 * The ELF file of a build that one has published oneself: found by the hash that a dump or a log names, and used by itself. One of another
 * build is never fetched, and nothing is asked for while nobody is signed in.
 */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useSession } from '../../../../shared/session/use-session.ts';
import type { ListedFile } from '../../../../workbench/crash/symbol-files.ts';
import type { OwnElf } from './fetch-own-elf.ts';

const none: OwnElf = { state: 'none' };

/** By user and hash, for as long as the page lives: whoever removes the file does not want it again. */
const searches = createStore<Readonly<Record<string, OwnElf>>>(() => ({}));

/** @param build first digits of the hash; null asks nothing */
export function useOwnElf(
  build: string | null,
  files: readonly ListedFile[],
): { readonly search: OwnElf; readonly retry: () => void } {
  const { user } = useSession();
  const key = user === null || build === null ? null : `${user.name} ${build}`;
  const isOpen = files.some(
    ({ state }) => state.kind === 'open' && build !== null && state.facts.hash?.startsWith(build),
  );
  const isReading = files.some(({ state }) => state.kind === 'reading');
  const search = useStore(searches, (all) => (key === null ? none : (all[key] ?? none)));
  useEffect(() => {
    const isNew = key !== null && searches.getState()[key] === undefined;
    if (key !== null && build !== null && isNew && !isOpen && !isReading) {
      void find(key, build);
    }
  }, [key, build, isOpen, isReading]);
  const retry = () => {
    if (key !== null && build !== null) {
      void find(key, build);
    }
  };
  return { search: isOpen ? none : search, retry };
}

async function find(key: string, build: string): Promise<void> {
  const set = (state: OwnElf) => searches.setState({ [key]: state });
  set(none);
  try {
    // Fetched then: most people have no release.
    const { fetchOwnElf } = await import('./fetch-own-elf.ts');
    await fetchOwnElf(build, set);
  } catch (error) {
    set({ state: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}
