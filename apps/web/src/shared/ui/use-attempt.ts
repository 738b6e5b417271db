/** One press, one call: what is pressed twice runs once. */
import { useRef, useState } from 'react';

export interface Attempt {
  readonly busy: boolean;
  /** Does nothing while the last one runs. Resolves when it is over, well or not. @param act rejects when it fails */
  readonly run: (act: () => Promise<void>) => Promise<void>;
}

export interface ExplainedAttempt extends Attempt {
  /** Why the last run failed; null while one runs and when it went well. */
  readonly failure: string | null;
}

/** @param failed hears what a run rejected with. */
export function useAttempt(failed: (error: unknown) => void): Attempt {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const run = async (act: () => Promise<void>) => {
    if (running.current) {
      return;
    }
    running.current = true;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      failed(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, run };
}

/** What fails stays to be read. @param explain makes it of what a run rejected with. */
export function useExplainedAttempt(explain: (error: unknown) => string): ExplainedAttempt {
  const [failure, setFailure] = useState<string | null>(null);
  const { busy, run } = useAttempt((error) => setFailure(explain(error)));
  const attempt = (act: () => Promise<void>) =>
    run(() => {
      setFailure(null);
      return act();
    });
  return { busy, failure, run: attempt };
}
