/**
 * Prepares the document for a page that can open ports: links stay inside, leaving with open ports warns, and other
 * pages show how many are open.
 */
import { benchAtStake } from '../workbench/bench-at-stake.ts';
import { followLinks } from './follow-links.ts';
import { showHeaderSign } from './header-sign.ts';
import { warnBeforeLeaving } from './leave-warning.ts';
import { OpenPortsSign } from './open-ports-sign.tsx';

let started = false;

/** Later calls do nothing. */
export function startBenchPages(): void {
  followLinks();
  if (!started) {
    started = true;
    warnBeforeLeaving(benchAtStake);
    showHeaderSign(OpenPortsSign);
  }
}
