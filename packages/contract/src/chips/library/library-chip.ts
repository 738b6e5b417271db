/** Type of the chip JKits that come with the product, and short forms for their registers. */
import type { ChipDraft } from '../chip-content.ts';

export interface LibraryChip {
  /** A UUID that never changes, because links and stars refer to it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly content: ChipDraft;
}

type Register = ChipDraft['registers'][number];
type Field = NonNullable<Register['fields']>[number];

/**
 * Returns a field of several bits.
 *
 * @param names Names of its values, starting with value 0.
 */
export function bits(name: string, high: number, low: number, description: string, names?: readonly string[]): Field {
  const values = names?.map((text, value) => ({ value, name: text }));
  return { name, high, low, description, ...(values !== undefined && { values }) };
}

export function bit(name: string, at: number, description: string): Field {
  return bits(name, at, at, description);
}

/**
 * Returns registers that share the settings in `form`.
 *
 * @param list Entries of the form `[name, address, description]`.
 */
export function registers(form: Partial<Register>, list: readonly (readonly [string, number, string])[]): Register[] {
  return list.map(([name, address, description]) => ({ ...form, name, address, description }));
}

/** Returns intermediate results of kind integer, from entries of the form `[name, formula]`. */
export function steps(list: readonly (readonly [string, string])[]): NonNullable<ChipDraft['values']> {
  return list.map(([name, formula]) => ({ name, kind: 'integer', formula }));
}
