/** Scopes at the beginning of the find field, such as `port:1,2`, are shown there as chips; the rest is what is typed. */
import { parseFilterField } from '@wirebench/serial';

export interface SplitField {
  readonly chips: readonly string[];
  readonly rest: string;
}

const scope = /^\s*((?:port|dir|level):\S+)\s/i;

/** A scope becomes a chip once a space stands behind it: before that it is still being typed. */
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
