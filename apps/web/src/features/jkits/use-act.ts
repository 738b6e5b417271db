/** One press, one call: what is pressed twice runs once, and what fails stays to be read. */
import { useRef, useState } from 'react';
import { failedActText } from './failed-act.ts';
import type { JkitAct } from './model/library-texts.ts';

export interface Act {
  readonly busy: boolean;
  /** Why the last run failed; null while one runs and when it went well. */
  readonly failure: string | null;
  /** Does nothing while the last one runs. @param act rejects when it fails */
  readonly run: (act: () => Promise<void>) => Promise<void>;
}

export function useAct(name: JkitAct): Act {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef(false);
  const run = async (act: () => Promise<void>) => {
    if (running.current) {
      return;
    }
    running.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(failedActText(name, error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, failure, run };
}
