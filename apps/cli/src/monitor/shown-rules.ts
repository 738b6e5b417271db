/**
 * `--rules`: rules of a JKit that the page has exported. They colour lines and name what fires; what they would send, play
 * or record stays with the page.
 */
import { givenText } from '@wirebench/port/given-text';
import {
  acts,
  type Bench,
  type Row,
  type Rule,
  type RuleColour,
  type RuleHit,
  type RuleWatch,
  readRule,
} from '@wirebench/serial';
import type { Colour, Paint } from '../colours.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { printable } from '../printable.ts';

const colours = {
  red: 'red',
  amber: 'yellow',
  green: 'green',
  blue: 'blue',
  violet: 'magenta',
  grey: 'dim',
} as const satisfies Record<RuleColour, Colour>;
/** First word of the notices about rules. A rule about notices must not fire by them. */
const NAME = 'Rule';

/** @throws CommandError with the place of a fault. */
export async function readRuleFiles(paths: readonly string[]): Promise<readonly Rule[]> {
  const rules: Rule[] = [];
  for (const path of paths) {
    const refuse = (reason: string) => new CommandError(exitCodes.usage, `${path}: ${reason}`);
    const text = givenText(await readGiven(path));
    let root: unknown;
    try {
      root = JSON.parse(text);
    } catch (error) {
      throw refuse(`it is no JSON: ${error instanceof Error ? error.message : error}`);
    }
    const list = Array.isArray(root) ? root : (root as { readonly rules?: unknown } | null)?.rules;
    if (!Array.isArray(list) || list.length === 0) {
      throw refuse('it has no list "rules". Export the JKit of a panel that has rules.');
    }
    for (const [index, entry] of list.entries()) {
      const read = readRule(entry);
      if (!read.ok) {
        throw refuse(`rules[${index}]: ${read.message}`);
      }
      rules.push({ ...read.rule, id: `${path}:${index}` });
    }
  }
  return rules.filter(({ isOn }) => isOn);
}

export class ShownRules {
  readonly #bench: Bench;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #watch: RuleWatch;

  constructor(bench: Bench, rules: readonly Rule[]) {
    this.#bench = bench;
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
    this.#watch = bench.ruleWatch({ onHit: (hit) => this.#hit(hit), onChange: () => this.#watch?.changed() });
    this.#watch.set(
      rules.map(({ id, condition, actions: { colour, mark, colours: part } }) => ({
        id,
        condition,
        ports: null,
        colour,
        mark,
        colours: part,
      })),
    );
    for (const rule of rules.filter(acts)) {
      bench.notice('info', `${NAME} "${printable(rule.name)}": what it sends or records is left to the page`, null);
    }
  }

  /** Call this after each change of the bench. */
  changed(): void {
    this.#watch.changed();
  }

  /** Returns a row's text in the colour of the first rule that colours it; null without one. */
  painted(row: Row, text: string, paint: Paint): string | null {
    const [look] = this.#watch.looks([row]);
    if (look?.line) {
      return paint(colours[look.line], text);
    }
    const { match } = look ?? {};
    if (!match) {
      return null;
    }
    let shown = '';
    let from = 0;
    for (const { start, end } of match.marker.inText(text)) {
      shown += text.slice(from, start) + paint(colours[match.colour], text.slice(start, end));
      from = end;
    }
    return shown + text.slice(from);
  }

  dispose(): void {
    this.#watch.dispose();
  }

  /** Names rules that would tell a person: by a note, a sound or the desktop, and silences. */
  #hit({ id, port, line, value }: RuleHit): void {
    const rule = this.#rules.get(id);
    const text = line?.text() ?? null;
    if (rule === undefined || text?.startsWith(`${NAME} "`)) {
      return;
    }
    const { note, sound, notify } = rule.actions;
    if (note || sound || notify || line === null) {
      const what = value !== null ? `: ${value}` : text === null ? ': silence' : `: ${printable(text)}`;
      this.#bench.notice('warning', `${NAME} "${printable(rule.name)}"${what}`, port);
    }
  }
}
