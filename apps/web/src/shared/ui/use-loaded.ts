/**
 * Loads a part on first use, so that the entry does not contain it. A failed load shows a toast, and the next use
 * retries.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { isRunFailure, runFailedText } from './run-failure.ts';
import { toast } from './toast.ts';

export const LOAD_FAILED = 'This part of the page could not be loaded. Check the connection, then try again.';

/**
 * Returns the result of `load` once it is wanted and loaded; null until then.
 * @param load Must be the same function on every render; usually defined outside of the component.
 * @param onFailure Called after the toast, so that the caller can reset `wanted`.
 */
export function useLoaded<Part>(wanted: boolean, load: () => Promise<Part>, onFailure: () => void): Part | null {
  const [loaded, setLoaded] = useState<{ readonly part: Part } | null>(null);
  const failed = useEffectEvent(onFailure);
  const missing = wanted && loaded === null;
  useEffect(() => {
    if (!missing) {
      return;
    }
    let wantedStill = true;
    load().then(
      (part) => {
        if (wantedStill) {
          setLoaded({ part });
        }
      },
      (error: unknown) => {
        if (wantedStill) {
          toast(isRunFailure(error) ? runFailedText : LOAD_FAILED, { level: 'error' });
          failed();
        }
      },
    );
    return () => {
      wantedStill = false;
    };
  }, [missing, load]);
  return loaded?.part ?? null;
}
