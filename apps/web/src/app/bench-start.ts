/** Prepares the document for a page that can open ports: links stay inside, and leaving with open ports warns. */
import { benchAtStake } from '../workbench/bench-at-stake.ts';
import { followLinks } from './follow-links.ts';
import { warnBeforeLeaving } from './leave-warning.ts';

let started = false;

/** Later calls do nothing. */
export function startBenchPages(): void {
  followLinks();
  if (!started) {
    started = true;
    warnBeforeLeaving(benchAtStake);
  }
}
