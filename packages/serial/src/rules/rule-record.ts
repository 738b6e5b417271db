/**
 * Writes a rule as plain JSON and reads it back: `{ name, when, do }`. What was written by others is checked, unknown
 * keys are kept, and each refusal is a sentence.
 */
import { parseFilterField, partWords, withQuotes } from '../filter-field.ts';
import type { LineQuery, LineTerm } from '../line-query.ts';
import { encodePinned, maxInputLength } from '../send-input.ts';
import { expressionOf, patternOf } from '../term-patterns.ts';
import { spansIn } from '../text-pattern.ts';
import {
  noActions,
  type Rule,
  type RuleActions,
  type RuleAnswer,
  type RuleCondition,
  ruleColours,
  ruleLimits,
} from './rule.ts';

type Fields = Readonly<Record<string, unknown>>;

export type RuleRead =
  /** @property rule Without an id. It may not act until the person at this browser allows it. */
  { readonly ok: true; readonly rule: Omit<Rule, 'id'> } | { readonly ok: false; readonly message: string };

class RuleFault extends Error {}

/**
 * Reads a rule of a JKit, a release or a file.
 *
 * @returns A sentence if it cannot be used.
 */
export function readRule(value: unknown): RuleRead {
  try {
    return { ok: true, rule: ruleOf(fieldsOf(value, 'A rule is an object with "when" and "do".')) };
  } catch (error) {
    if (error instanceof RuleFault) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

/** Writes a rule, without its id and without the permission to act. Usual values are left out. */
export function writeRule({ name, isOn, where, must, condition, actions, others }: Omit<Rule, 'id'>): Fields {
  const { colour, colours, mark, note, sound, notify, answer, run, record } = actions;
  return {
    ...others.rule,
    name,
    ...(!isOn && { on: false }),
    ...(where === 'all' && { where }),
    ...(must !== null && { must }),
    when: { ...others.when, ...writeCondition(condition) },
    do: {
      ...others.do,
      ...(colour !== null && { colour, ...(colours === 'match' && { of: colours }) }),
      ...(mark && { mark }),
      ...(note && { note }),
      ...(sound && { sound }),
      ...(notify && { notify }),
      ...(answer !== null && { answer: answer.kind === 'text' ? answer.content : { [answer.kind]: answer.content } }),
      ...(run && { run }),
      ...(record !== null && { record }),
    },
  };
}

/**
 * Returns the fault of a condition as a sentence; null if it can be used.
 */
export function conditionFault(condition: RuleCondition): string | null {
  switch (condition.kind) {
    case 'line':
      return condition.find.trim() === ''
        ? 'Say which lines the rule is about, for example error or level:error.'
        : findFault(condition.find);
    case 'silence': {
      const { least, most } = ruleLimits.seconds;
      const isTime = Number.isInteger(condition.seconds) && condition.seconds >= least && condition.seconds <= most;
      return isTime ? findFault(condition.find) : `A silence is a whole number of seconds from ${least} to ${most}.`;
    }
    case 'value':
      return condition.series.trim() === '' || condition.series.length > ruleLimits.find
        ? `Name the series, with at most ${ruleLimits.find} characters.`
        : Number.isFinite(condition.limit)
          ? null
          : 'The limit is a number, such as 20000.';
  }
}

/** Returns the fault of an answer as a sentence; null if it can be sent. */
export function answerFault({ kind, content }: RuleAnswer): string | null {
  if (content === '' || content.length > maxInputLength) {
    return `An answer has from 1 to ${maxInputLength} characters.`;
  }
  if (kind === 'pinned') {
    return null;
  }
  const encoded = encodePinned(content, kind, 'none');
  return encoded.ok ? null : encoded.message;
}

function findFault(find: string): string | null {
  if (find.length > ruleLimits.find) {
    return `A condition has at most ${ruleLimits.find} characters.`;
  }
  const parsed = parseFilterField(find);
  return parsed.ok ? neverFault(parsed.query) : parsed.message;
}

/** Returns the reason why no line ever satisfies the query, as a sentence; null if a line may. */
function neverFault({ terms, levels, directions = ['received'] }: LineQuery): string | null {
  if (levels !== undefined && !directions.includes('notice')) {
    if (!directions.includes('received')) {
      return 'This rule can never fire: sent lines have no level. Leave out level: or dir:tx.';
    }
    if (levels.every((level) => level === 'success')) {
      return 'This rule can never fire: only notices have the level success. Add dir:notice.';
    }
  }
  for (const term of terms) {
    if (!term.not && term.kind === 'regex' && !expressionOf(term).mayMatch) {
      return `This rule can never fire: no line can match /${term.source}/. Lines have no line feed, and ^ and $ are their ends.`;
    }
    const excluding = terms.find((other) => other.not && !term.not && excludes(other, term));
    if (excluding !== undefined && excluding.kind === 'text') {
      return `This rule can never fire: not:${excluding.text} leaves out every line that it is about.`;
    }
  }
  return null;
}

/** Returns true if every line with the text of `term`, in whichever spelling, has the text of `other`. */
function excludes(other: LineTerm, term: LineTerm): boolean {
  if (other.kind !== 'text' || term.kind !== 'text') {
    return false;
  }
  const wanted = patternOf(other);
  const forms = [term.text, term.text.normalize('NFC'), term.text.normalize('NFD')];
  return (
    (other.ignoreCase || !term.ignoreCase) &&
    forms.every((form) => wanted !== null && spansIn(form, [wanted], 1).length > 0)
  );
}

function ruleOf(fields: Fields): Omit<Rule, 'id'> {
  const { name, on, where, must, when, do: does, ...rule } = fields;
  const known = must === 'fire' || must === 'not-fire' ? must : null;
  const condition = readCondition(fieldsOf(when, 'The rule has no "when".'));
  const actions = readActions(fieldsOf(does ?? {}, 'The rule\'s "do" is not an object.'));
  const fault =
    conditionFault(condition.read) ?? (actions.read.answer === null ? null : answerFault(actions.read.answer));
  if (fault !== null) {
    throw new RuleFault(fault);
  }
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, ruleLimits.name) : 'Rule',
    isOn: on !== false,
    mayAct: false,
    where: where === 'all' ? 'all' : 'panel',
    must: known,
    condition: condition.read,
    actions: actions.read,
    others: {
      rule: {
        ...rule,
        ...(where === undefined || where === 'all' || where === 'panel' ? {} : { where }),
        ...(known === null && must !== undefined && { must }),
      },
      when: condition.others,
      do: actions.others,
    },
  };
}

function writeCondition(condition: RuleCondition): Fields {
  switch (condition.kind) {
    case 'line':
      return { line: withQuotes(condition.find), ...(condition.matchCase && { matchCase: true }) };
    case 'silence':
      return { silence: condition.seconds, ...(condition.find !== '' && { line: withQuotes(condition.find) }) };
    case 'value':
      return { series: condition.series, [condition.side]: condition.limit };
  }
}

function readCondition(fields: Fields): { readonly read: RuleCondition; readonly others: Fields } {
  if ('series' in fields) {
    const { series, above, below, ...others } = fields;
    const side = above === undefined ? 'below' : 'above';
    const limit = above ?? below;
    if (typeof limit !== 'number') {
      throw new RuleFault('A rule about a value needs a limit: "above" or "below" with a number.');
    }
    return { read: { kind: 'value', series: textOf(series, 'series'), side, limit }, others };
  }
  if ('silence' in fields) {
    const { silence, line = '', ...others } = fields;
    const seconds = typeof silence === 'number' ? silence : Number.NaN;
    return { read: { kind: 'silence', seconds, find: storedFind(line) }, others };
  }
  if ('line' in fields) {
    const { line, matchCase, ...others } = fields;
    return { read: { kind: 'line', find: storedFind(line), matchCase: matchCase === true }, others };
  }
  throw new RuleFault('This version does not know the condition of the rule. It knows "line", "silence" and "series".');
}

/** Reads a stored condition: words side by side are parted, as every version has read them. */
function storedFind(line: unknown): string {
  const text = textOf(line, 'line');
  return partWords(text) ?? text;
}

function readActions(fields: Fields): { readonly read: RuleActions; readonly others: Fields } {
  const { colour, of, mark, note, sound, notify, answer, run, record, ...others } = fields;
  const known = ruleColours.find((name) => name === colour) ?? null;
  const recorded = record === 'start' || record === 'stop' ? record : null;
  const answered = answer === undefined ? null : readAnswer(answer);
  return {
    read: {
      ...noActions,
      colour: known,
      colours: of === 'match' ? 'match' : 'line',
      mark: mark === true,
      note: note === true,
      sound: sound === true,
      notify: notify === true,
      answer: answered,
      run: run === true,
      record: recorded,
    },
    others: {
      ...others,
      ...(known === null && colour !== undefined && { colour }),
      ...(recorded === null && record !== undefined && { record }),
    },
  };
}

function readAnswer(answer: unknown): RuleAnswer {
  if (typeof answer === 'string') {
    return { kind: 'text', content: answer };
  }
  const fields = fieldsOf(answer, 'An answer is a text, or an object with "hex" or "pinned".');
  for (const kind of ['hex', 'pinned', 'text'] as const) {
    if (kind in fields) {
      return { kind, content: textOf(fields[kind], kind) };
    }
  }
  throw new RuleFault('An answer is a text, or an object with "hex" or "pinned".');
}

function textOf(value: unknown, key: string): string {
  if (typeof value !== 'string') {
    throw new RuleFault(`The "${key}" of a rule is not a text.`);
  }
  return value;
}

function fieldsOf(value: unknown, fault: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RuleFault(fault);
  }
  return value as Fields;
}
