/**
 * Splits the text of the find field. Scopes at its start, such as `port:1,2`, are shown as chips, the rest as
 * editable text.
 */
import { parseFilterField } from '@wirebench/serial';

export interface SplitField {
  readonly chips: readonly string[];
  readonly rest: string;
}

const scope = /^\s*((?:port|dir|level):\S+)\s/i;

/**
 * Returns chips and rest. A scope becomes a chip after a following space, because before that the user may still be
 * typing it.
 */
export function splitField(text: string): SplitField {
  const chips: string[] = [];
  let rest = text;
  for (let found = scope.exec(rest); found !== null; found = scope.exec(rest)) {
    const [whole, chip = ''] = found;
    if (!parseFilterField(chip).ok) {
      break;
    }
    chips.push(chip);
    rest = rest.slice(whole.length);
  }
  return { chips, rest };
}

export function joinField({ chips, rest }: SplitField): string {
  return [...chips.map((chip) => `${chip} `), rest].join('');
}

export function withoutChip({ chips, rest }: SplitField, index: number): string {
  return joinField({ chips: chips.toSpliced(index, 1), rest });
}
