/**
 * Rules that the worker watches. They are those of the terminal's panels, and those of a release beside the monitor of
 * the flasher, which share one bench.
 */
import type { RunningRule } from '../protocol/bench/rule-part.ts';
import { getBench } from './bench.ts';

type RuleOwner = 'panels' | 'release';

const sets: Record<RuleOwner, readonly RunningRule[]> = { panels: [], release: [] };
let last = '[]';

/** Replaces the rules of one owner. Their ids are unique among all owners. */
export function watchRulesOf(owner: RuleOwner, rules: readonly RunningRule[]): void {
  sets[owner] = rules;
  const all = [...sets.panels, ...sets.release];
  const text = JSON.stringify(all.map((rule) => ({ ...rule, answer: rule.answer && [...rule.answer] })));
  if (text !== last) {
    last = text;
    void getBench().call('setRules', all);
  }
}
