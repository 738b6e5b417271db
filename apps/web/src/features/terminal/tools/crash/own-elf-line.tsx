import { useEffect } from 'react';
import { pageStore } from '../../../../shared/page-store.ts';
import { useSession } from '../../../../shared/session/use-session.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import type { ListedFile } from '../../../../workbench/crash/symbol-files.ts';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import type { OwnElf } from './fetch-own-elf.ts';

export interface OwnElfLineProps {
  /** First hexadecimal digits of the SHA-256 of the ELF file that ran. Null: unknown. */
  readonly build: string | null;
  readonly files: readonly ListedFile[];
}

/**
 * Finds the ELF file of a build among the user's own releases by the hash in a dump or log, and opens it. Files of
 * other builds are never fetched. Nothing is requested while the user is signed out.
 */

const none: OwnElf = { state: 'none' };

/** Searches by user and hash, kept until the page is closed. A file that the user removed is not fetched again. */
const searches = pageStore<Readonly<Record<string, OwnElf>>>({});

/**
 * Searches for the ELF file of a build, unless it is open already.
 *
 * @param build First hexadecimal digits of the SHA-256. Null: no search.
 */
function useOwnElf(
  build: string | null,
  files: readonly ListedFile[],
): { readonly search: OwnElf; readonly retry: () => void } {
  const { user } = useSession();
  const key = user === null || build === null ? null : `${user.name} ${build}`;
  const isOpen = files.some(
    ({ state }) => state.kind === 'open' && build !== null && state.facts.hash?.startsWith(build),
  );
  const isReading = files.some(({ state }) => state.kind === 'reading');
  const search = searches.use((all) => (key === null ? none : (all[key] ?? none)));
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
    // Loaded on demand, because most users have no release.
    const { fetchOwnElf } = await import('./fetch-own-elf.ts');
    await fetchOwnElf(build, set);
  } catch (error) {
    set({ state: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}

/** Searches the user's own releases for the ELF file, and shows the progress. */
export function OwnElfLine({ build, files }: OwnElfLineProps) {
  const { search, retry } = useOwnElf(build, files);
  return (
    <div role="status" className={styles['small']}>
      {search.state === 'fetching' ? `Fetching the ELF file of ${search.release} from your releases.` : null}
      {search.state === 'failed' ? (
        <>
          The ELF file could not be fetched from your releases: {search.reason}{' '}
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </>
      ) : null}
    </div>
  );
}
