import { type ReleaseAddress, releaseOfQuery } from '@wirebench/boards';
import { useCallback, useEffect, useState } from 'react';
import { type LoadFlasher, ReleaseView } from '../../features/release/release-view.tsx';
import { useSession } from '../../shared/session/use-session.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { loadRelease } from '../../workbench/release/load-release.ts';
import { type ReleaseFault, releaseProblemOf, type ServerRelease } from '../../workbench/release/release.ts';
import styles from './release-page.module.css';

/** Fetched with a problem, which few visits have. */
const loadProblem = () => import('../../workbench/release/release-problem.tsx');

export type LoadRelease = typeof loadRelease;

export interface ReleasePageProps {
  readonly loadFlasher: LoadFlasher;
  /** Replaced in tests. */
  readonly load?: LoadRelease;
}

/** Behind a share link. */
export function ReleasePage({ loadFlasher, load = loadRelease }: ReleasePageProps) {
  const [address] = useState(() => releaseOfQuery(location.search));
  const { state, again } = useSharedRelease(address, load);
  const problem = useLoaded(state.kind === 'problem', loadProblem, () => undefined);
  switch (state.kind) {
    case 'loading':
      return (
        <p className={`row ${styles['loading']}`} role="status">
          <Spinner /> Loading the release…
        </p>
      );
    case 'problem':
      // The toast of a part that could not be loaded has its remedy.
      return problem === null ? null : (
        <problem.ReleaseProblemView problem={state.problem} detail={state.detail} onAgain={again} />
      );
    case 'release':
      return <ReleaseView release={state.release} loadFlasher={loadFlasher} />;
  }
}

type ReleaseState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'release'; readonly release: ServerRelease }
  | ({ readonly kind: 'problem' } & ReleaseFault);

const loading: ReleaseState = { kind: 'loading' };

/** Loads the release of the address. Loads it again on `again`, and when a user signs in. */
function useSharedRelease(
  address: ReleaseAddress | null,
  load: LoadRelease,
): { readonly state: ReleaseState; readonly again: () => void } {
  const { user, activity } = useSession();
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ readonly of: string; readonly state: ReleaseState } | null>(null);
  const needsSession = address?.owned === true;
  const waits = needsSession && user === null;
  // Identifies the request, so that a late answer to an older one is ignored.
  const question = JSON.stringify([attempt, address, needsSession ? user?.name : null]);
  useEffect(() => {
    if (address === null || waits) {
      return;
    }
    const abort = new AbortController();
    load(address, abort.signal).then(
      (release) => setResult({ of: question, state: { kind: 'release', release } }),
      (error: unknown) => {
        if (!abort.signal.aborted) {
          setResult({ of: question, state: { kind: 'problem', ...releaseProblemOf(error) } });
        }
      },
    );
    return () => abort.abort();
  }, [address, load, question, waits]);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  if (address === null) {
    return { state: { kind: 'problem', problem: 'no-address', detail: null }, again };
  }
  if (waits) {
    return { state: activity === 'looking' ? loading : { kind: 'problem', problem: 'sign-in', detail: null }, again };
  }
  return { state: result?.of === question ? result.state : loading, again };
}
