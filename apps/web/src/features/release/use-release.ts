/**
 * Loads the release of a share link. The page does not use TanStack Query: its main button must appear after a few
 * kilobytes of script, and it sends only one request.
 */
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import type { ReleaseAddress } from '../../shared/release-address.ts';
import { SessionError } from '../../shared/session/session-errors.ts';
import { useSession } from '../../shared/session/use-session.ts';
import type { loadRelease, Release } from './load-release.ts';

/** Reason why no release is shown. */
export type ReleaseProblem =
  | 'no-address'
  | 'sign-in'
  | 'not-found'
  | 'taken-down'
  | 'ended'
  | 'offline'
  | 'too-many'
  | 'failed';

export type ReleaseState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'release'; readonly release: Release }
  | { readonly kind: 'problem'; readonly problem: ReleaseProblem; readonly detail: string | null };

export type LoadRelease = typeof loadRelease;

const loading: ReleaseState = { kind: 'loading' };

/** Loads the release of the address. Loads it again on `again`, and when a user signs in. */
export function useRelease(
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

export interface ReleaseFault {
  readonly problem: ReleaseProblem;
  readonly detail: string | null;
}

/** @param error Error of `loadRelease`. */
export function releaseProblemOf(error: unknown): ReleaseFault {
  const problem = (which: ReleaseProblem, detail: string | null = null) => ({ problem: which, detail });
  if (error instanceof SessionError) {
    return problem('failed', error.message);
  }
  if (!(error instanceof ApiError)) {
    return problem('failed');
  }
  switch (error.status) {
    case 0:
      return problem('offline');
    case 401:
      return problem('sign-in');
    case 404:
      return problem('not-found');
    case 410:
      return problem(codeOf(error) === 'share-ended' ? 'ended' : 'taken-down');
    case 429:
      return problem('too-many');
    default:
      return problem('failed', error.message);
  }
}

/** Returns the contract's code in the body of a refusal, or null. */
function codeOf({ body }: ApiError): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
}
