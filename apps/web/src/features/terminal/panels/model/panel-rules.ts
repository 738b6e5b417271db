/** Rules of a panel as they are stored in this browser, and in a JKit or a file. What they mean is in `packages/serial`. */
import { type Rule, readRule, ruleLimits, writeRule } from '@wirebench/serial';
import { fieldsOf } from '../../../../shared/json.ts';
import { newId, without } from './stored-fields.ts';

export interface ReadRules {
  readonly read: readonly Rule[];
  /** Unreadable entries, or a value that is no list. Saving writes it back. Undefined: nothing. */
  readonly unread: unknown;
  /** One sentence for each entry that could not be read. */
  readonly faults: readonly string[];
}

/** Reads the rules of a JKit or a file. None of them may act until a person allows it. */
export function readRules(value: unknown): ReadRules {
  if (!Array.isArray(value)) {
    return { read: [], unread: value, faults: [] };
  }
  const read: Rule[] = [];
  const unread: unknown[] = [];
  const faults: string[] = [];
  for (const entry of value as readonly unknown[]) {
    const result = readRule(entry);
    if (result.ok && read.length < ruleLimits.rules) {
      read.push({ ...result.rule, id: newId() });
    } else {
      unread.push(entry);
      faults.push(result.ok ? tooManyText : `A rule was left out: ${result.message}`);
    }
  }
  return { read, unread: unread.length > 0 ? unread : undefined, faults: [...new Set(faults)] };
}

const tooManyText = `A panel has at most ${ruleLimits.rules} rules. The others were left out.`;

/** Returns the field of a JKit or a file with these rules, followed by entries that could not be read. */
export function writeRules(rules: readonly Rule[], unread?: unknown): { readonly rules?: unknown } {
  const kept: readonly unknown[] = Array.isArray(unread) ? unread : [];
  return rules.length === 0 ? {} : { rules: [...rules.map(writeRule), ...kept] };
}

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
