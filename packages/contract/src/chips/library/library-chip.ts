/** A chip JKit that comes with the product, and short ways to write its registers down. */
import type { ChipDraft } from '../chip-content.ts';

export interface LibraryChip {
  /** A UUID that stays the same for ever: links and stars name it. */
  readonly id: string;
  /** Of the JKit. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly content: ChipDraft;
}

type Register = ChipDraft['registers'][number];
type Field = NonNullable<Register['fields']>[number];

/** A field, highest bit first. @param names what its values from 0 on mean */
export function bits(name: string, high: number, low: number, description: string, names?: readonly string[]): Field {
  const values = names?.map((text, value) => ({ value, name: text }));
  return { name, high, low, description, ...(values !== undefined && { values }) };
}

export function bit(name: string, at: number, description: string): Field {
  return bits(name, at, at, description);
}

/** Registers of the same form, as `[name, address, what it is]`. */
export function registers(form: Partial<Register>, list: readonly (readonly [string, number, string])[]): Register[] {
  return list.map(([name, address, description]) => ({ ...form, name, address, description }));
}

/** Steps of kind integer, as `[name, formula]`. */
export function steps(list: readonly (readonly [string, string])[]): NonNullable<ChipDraft['values']> {
  return list.map(([name, formula]) => ({ name, kind: 'integer', formula }));
}
