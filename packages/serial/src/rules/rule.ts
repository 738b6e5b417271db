/**
 * A rule: a condition on what arrives, and what happens then. Rules are data: they are written and read by
 * `rule-record.ts`, and watched by `rule-watch.ts`.
 */

export const ruleColours = ['red', 'amber', 'green', 'blue', 'violet', 'grey'] as const;
export type RuleColour = (typeof ruleColours)[number];

export type RuleCondition =
  /** A line for which the find field would find this text: words, `/expressions/`, `hex:`, `level:`, `port:`, `dir:`. */
  | { readonly kind: 'line'; readonly find: string; readonly matchCase: boolean }
  /**
   * No such line for this many seconds on an open port. An empty `find`: no byte at all. It holds once for each silence.
   */
  | { readonly kind: 'silence'; readonly seconds: number; readonly find: string }
  /** A plotted value on this side of a limit. Lines match while it is there; the other actions happen as it gets there. */
  | { readonly kind: 'value'; readonly series: string; readonly side: 'above' | 'below'; readonly limit: number };

/** Bytes for the port that the line came from: text with the panel's line ending, hex bytes, or a pinned message. */
export interface RuleAnswer {
  readonly kind: 'text' | 'hex' | 'pinned';
  /** Text, hex digits, or the label or content of a pinned message. */
  readonly content: string;
}

export interface RuleActions {
  readonly colour: RuleColour | null;
  /** Part of the line that has the colour. */
  readonly colours: 'line' | 'match';
  /** True: a tick in the scroll bar, and a stop of the keys for the next and the previous mark. */
  readonly mark: boolean;
  readonly note: boolean;
  readonly sound: boolean;
  /** True: a notification of the desktop. */
  readonly notify: boolean;
  readonly answer: RuleAnswer | null;
  /** True: the messages of the panel are sent, as its *Run* does. */
  readonly run: boolean;
  readonly record: 'start' | 'stop' | null;
}

export interface Rule {
  /** Unique in this browser. It is in no file. */
  readonly id: string;
  readonly name: string;
  readonly isOn: boolean;
  /**
   * True: the person at this browser has switched on what the rule does to boards and files. It is in no file, so a
   * rule of another person begins with false.
   */
  readonly mayAct: boolean;
  /** `panel`: lines of the panel's port. `all`: lines of every port. `port:` in the condition narrows both. */
  readonly where: 'panel' | 'all';
  /** Decides about a run of all messages, on the port of the run. Null: the rule is no check. */
  readonly must: RuleMust | null;
  readonly condition: RuleCondition;
  readonly actions: RuleActions;
  /** Keys that this version does not know, by where they were. */
  readonly others: RuleUnknowns;
}

export type RuleMust = 'fire' | 'not-fire';

type Unknowns = Readonly<Record<string, unknown>>;

export interface RuleUnknowns {
  readonly rule: Unknowns;
  readonly when: Unknowns;
  readonly do: Unknowns;
}

export const noActions: RuleActions = {
  colour: null,
  colours: 'line',
  mark: false,
  note: false,
  sound: false,
  notify: false,
  answer: null,
  run: false,
  record: null,
};

export const nothingUnknown: RuleUnknowns = { rule: {}, when: {}, do: {} };

interface NewRule extends Partial<Omit<Rule, 'id' | 'actions'>>, Pick<Rule, 'id'> {
  readonly actions?: Partial<RuleActions>;
}

/** Returns a rule of the person at this browser: on, for all ports, without a condition and without an action. */
export function newRule({ actions, ...parts }: NewRule): Rule {
  return {
    name: '',
    isOn: true,
    mayAct: true,
    where: 'all',
    must: null,
    condition: { kind: 'line', find: '', matchCase: false },
    others: nothingUnknown,
    ...parts,
    actions: { ...noActions, ...actions },
  };
}

export const ruleLimits = {
  /** Rules of one panel. */
  rules: 50,
  /** Characters of a name, in UTF-16 units. */
  name: 64,
  /** Characters of a condition, and of the name of a series. */
  find: 256,
  /** Seconds of a silence. */
  seconds: { least: 1, most: 86_400 },
} as const;

/** Returns true if the rule sends, starts a run or records: actions that a person has to switch on first. */
export function acts({ actions }: Pick<Rule, 'actions'>): boolean {
  return actions.answer !== null || actions.run || actions.record !== null;
}
