/**
 * A part that is fetched when it is first wanted, so that the entry does not carry it. When the fetch fails the person is
 * told, and wanting it again tries again.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { isRunFailure, runFailedText } from './run-failure.ts';
import { toast } from './toast.ts';

const LOAD_FAILED = 'This part of the page could not be loaded. Check the connection, then try again.';

/**
 * The result of `load` once it is wanted and there; null until then.
 * @param load must be the same function on every render; usually it stands outside of the component.
 * @param onFailure told after the person was, so that the caller can stop wanting it.
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
