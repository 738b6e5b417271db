/**
 * A JKit as a test on boards: its messages with their answers, and rules that must fire or must not (decision 88).
 * Content that this version cannot read whole is a fault with its place, so that it never passes.
 */
import { jkitText } from '@wirebench/contract';
import { fieldsOf, isRecord, parseJson } from '@wirebench/contract/json';
import { acts, portNumbers, type Rule, readRule } from '@wirebench/serial';
import type { Jkit } from './jkit-file.ts';
import { boardOf, type PinnedMessage } from './pinned-message.ts';
import { prepareSteps, type Refusable } from './prepare-run.ts';
import { endingOf, readContent } from './read-content.ts';
import type { TestRule } from './rule-checks.ts';
import { hasChecks } from './run-checks.ts';
import type { RunStep } from './run-steps.ts';

export interface BoardTest {
  readonly name: string;
  readonly messages: readonly PinnedMessage[];
  /** One step for each message. */
  readonly steps: readonly RunStep[];
  readonly rules: readonly TestRule[];
  /** Numbers of the boards, ascending. */
  readonly boards: readonly number[];
  /** Longest time of all messages together, in seconds; null without a limit. */
  readonly seconds: number | null;
  /** Sentences about what the page would do and a test does not. */
  readonly notes: readonly string[];
}

export type TestRead =
  | { readonly ok: true; readonly test: BoardTest }
  /** @property faults Sentences with their places. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** Reads a JKit as a test. */
export function readTest(jkit: Jkit): TestRead {
  const read = readContent(jkit.content);
  if (!read.ok) {
    return { ok: false, faults: [`${read.code === 'jkit-format' ? jkitText.invalid : jkitText.noFields}.`] };
  }
  const { messages, warnings, kept } = read.parts;
  const content = fieldsOf(parseJson(jkit.content));
  const prepared = prepareSteps(messages, { all: messages, ending: endingOf(read.parts), boards: portNumbers.length });
  const { rules, faults: ruleFaults, notes } = readTestRules(content['rules']);
  const { seconds, faults: limitFaults } = readLimits(content['test']);
  const faults = [
    // Faults of rules come with their places below.
    ...warnings.filter((warning) => !warning.startsWith('A rule was left out')),
    ...('ending' in kept.settings ? ['settings.ending: this version does not know this line ending.'] : []),
    ...(prepared.ok ? [] : [prepared.reason]),
    ...ruleFaults,
    ...limitFaults,
    ...(hasChecks(messages, rules)
      ? []
      : ['it checks nothing: no command waits for an answer, and no rule has "must".']),
  ];
  if (faults.length > 0 || !prepared.ok) {
    return { ok: false, faults };
  }
  const boards = messages.length === 0 ? [1] : messages.map((message) => boardOf(message) ?? 1);
  return {
    ok: true,
    test: {
      name: typeof jkit['name'] === 'string' ? jkit['name'] : 'jkit',
      messages,
      steps: prepared.steps,
      rules,
      boards: [...new Set(boards)].sort((one, other) => one - other),
      seconds,
      notes,
    },
  };
}

interface ReadTestRules {
  readonly rules: readonly TestRule[];
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

function readTestRules(value: unknown): ReadTestRules {
  if (value !== undefined && !Array.isArray(value)) {
    return { rules: [], faults: ['rules: this version does not know rules that are no list.'], notes: [] };
  }
  const rules: TestRule[] = [];
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [index, entry] of ((value ?? []) as readonly unknown[]).entries()) {
    const place = `rules[${index + 1}]`;
    const read = readRule(entry);
    if (!read.ok) {
      faults.push(`${place}: ${read.message}`);
      continue;
    }
    const { name, isOn, must, condition } = read.rule;
    const fault = checkFault(read.rule);
    if (fault !== null) {
      faults.push(`${place}.${fault}`);
    } else if (must !== null && isOn) {
      rules.push({ name, must, condition });
    }
    if (isOn && acts(read.rule)) {
      notes.push(`The rule "${name}" does not send, run or record in a test.`);
    }
  }
  return { rules, faults, notes };
}

/** Returns why a rule that is a check cannot be read whole, from the key on; null if it can, or is no check. */
function checkFault({ must, others }: Pick<Rule, 'must' | 'others'>): string | null {
  if (others.rule['must'] !== undefined) {
    return 'must: it is "fire" or "not-fire".';
  }
  const [unknown] = Object.keys(others.when);
  return must !== null && unknown !== undefined ? `when.${unknown}: this version does not know it.` : null;
}

/** Checks of a run of all messages. */
export interface RunChecks {
  readonly rules: readonly TestRule[];
  /** Longest time of all messages together, in seconds; null without a limit. */
  readonly seconds: number | null;
}

/**
 * Reads the checks of a panel, or returns the reason why its run cannot be decided.
 *
 * @param limits Field `test` of the panel's JKit.
 */
export function readChecks(rules: readonly Rule[], limits: unknown): Refusable<{ readonly checks: RunChecks }> {
  const on = rules.filter(({ isOn }) => isOn);
  const { seconds, faults } = readLimits(limits);
  const [fault] = [
    ...on.flatMap((rule) => {
      const found = checkFault(rule);
      return found === null ? [] : [`Rule "${rule.name}": ${found}`];
    }),
    ...faults,
  ];
  if (fault !== undefined) {
    return { ok: false, reason: `${fault} So nothing is sent. Edit it, or update Wirebench.` };
  }
  const checks = on.flatMap(({ name, must, condition }) => (must === null ? [] : [{ name, must, condition }]));
  return { ok: true, checks: { rules: checks, seconds } };
}

function readLimits(value: unknown): { readonly seconds: number | null; readonly faults: readonly string[] } {
  if (value === undefined) {
    return { seconds: null, faults: [] };
  }
  if (!isRecord(value)) {
    return { seconds: null, faults: ['test: it is no object.'] };
  }
  const { seconds, ...unknown } = value;
  const isTime = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST;
  return {
    seconds: isTime ? seconds : null,
    faults: [
      ...(seconds === undefined || isTime ? [] : [`test.seconds: it is a whole number from 1 to ${LONGEST}.`]),
      ...Object.keys(unknown).map((key) => `test.${key}: this version does not know it.`),
    ],
  };
}

/** Longest time of a test, in seconds: a day. */
const LONGEST = 86_400;
