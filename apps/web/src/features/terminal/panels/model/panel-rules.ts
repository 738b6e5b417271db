/** Rules of a panel as they are stored in this browser. What they mean is in `packages/serial`. */

import { fieldsOf } from '@wirebench/contract/json';
import { newId, without } from '@wirebench/runs';
import { type Rule, readRule, writeRule } from '@wirebench/serial';

/**
 * Returns a rule whose panel got the messages of a JKit. A rule that sends the panel's messages would send those of
 * another person, so it loses the permission to act.
 */
export function withOtherMessages(rule: Rule): Rule {
  const { answer, run } = rule.actions;
  return run || answer?.kind === 'pinned' ? { ...rule, mayAct: false } : rule;
}

/** Writes a rule for this browser, with its id and the permission to act. */
export function writeStoredRule({ id, mayAct, ...rule }: Rule): unknown {
  return { ...writeRule({ ...rule, mayAct }), id, mayAct };
}

export function readStoredRules(value: unknown): readonly Rule[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const rules: Rule[] = [];
  for (const entry of entries) {
    const { id, mayAct } = fieldsOf(entry);
    const result = readRule(without(fieldsOf(entry), 'id', 'mayAct'));
    if (result.ok) {
      const isFree = typeof id === 'string' && id !== '' && !rules.some((rule) => rule.id === id);
      rules.push({ ...result.rule, id: isFree ? id : newId(), mayAct: mayAct === true });
    }
  }
  return rules;
}
