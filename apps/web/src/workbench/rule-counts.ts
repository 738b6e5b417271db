import { useEffect, useState } from 'react';
import type { RuleCounts } from '../protocol/bench/rule-part.ts';
import { getBench } from './bench.ts';
import { benchStatus } from './bench-status.ts';

/** Time between two requests for counts, in milliseconds. */
const interval = 250;
const noCounts: RuleCounts = { counts: {}, isCatchingUp: false };

/** Returns the counts of the rules, which are requested while the caller is shown. */
export function useRuleCounts(): RuleCounts {
  const [counts, setCounts] = useState(noCounts);
  useEffect(() => {
    let revision = -1;
    let isGone = false;
    const look = async () => {
      const { ruleRevision } = benchStatus.tick;
      if (ruleRevision !== revision) {
        revision = ruleRevision;
        const next = await getBench().call('ruleCounts');
        if (!isGone) {
          setCounts(next);
        }
      }
    };
    const timer = setInterval(() => void look(), interval);
    void look();
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, []);
  return counts;
}
