/**
 * Text that answers of a run have captured, and messages that contain it. `{1}` to `{9}` are the groups of the newest
 * answer that has groups, `{0}` is all of that answer. `{name}` keeps its value until the run ends.
 */

/** A message in parts: fixed bytes, and references to captured text. */
export type Template = readonly (Uint8Array | { readonly reference: string })[];

export interface CapturedAnswer {
  /** By number. Index 0 is the whole match. */
  readonly groups: readonly (Uint8Array | null)[];
  readonly names: readonly (string | null)[];
}

/** Longest message with captured text, in bytes. */
export const longestFilled = 4_096;

/** `{{`, or a reference with its name as the first group. */
export const reference = /\{\{|\{(\d|[A-Za-z_]\w{0,31})\}/g;
const encoder = new TextEncoder();

/** Returns true if the text has a reference to captured text. */
export function hasReference(content: string): boolean {
  return referencesIn(content).length > 0;
}

/** Returns the references of a text without their braces. */
export function referencesIn(content: string): string[] {
  return [...content.matchAll(reference)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** Divides a text into a template. `ending` is appended. */
export function templateOf(content: string, ending: Uint8Array): Template {
  const parts: (Uint8Array | { readonly reference: string })[] = [];
  let from = 0;
  for (const { 0: whole, 1: name, index } of content.matchAll(reference)) {
    const literal = content.slice(from, index) + (name === undefined ? '{' : '');
    parts.push(encoder.encode(literal), ...(name === undefined ? [] : [{ reference: name }]));
    from = index + whole.length;
  }
  return [...parts, encoder.encode(content.slice(from)), ending];
}

export type Filled =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  /** @property missing Reference without a value; null if the message is too long. */
  | { readonly ok: false; readonly missing: string | null };

export class Captures {
  #numbers: readonly (Uint8Array | null)[] = [];
  readonly #names = new Map<string, Uint8Array>();

  /** Takes an answer. One without groups changes nothing. */
  add({ groups, names }: CapturedAnswer): void {
    if (groups.length <= 1) {
      return;
    }
    this.#numbers = groups;
    for (const [number, name] of names.entries()) {
      const value = groups[number];
      if (name !== null && value !== undefined && value !== null) {
        this.#names.set(name, value);
      }
    }
  }

  fill(template: Template): Filled {
    const bytes: number[] = [];
    for (const part of template) {
      const value = part instanceof Uint8Array ? part : this.#valueOf(part.reference);
      if (value === null) {
        return { ok: false, missing: 'reference' in part ? part.reference : '' };
      }
      if (bytes.length + value.length > longestFilled) {
        return { ok: false, missing: null };
      }
      bytes.push(...value);
    }
    return { ok: true, bytes: Uint8Array.from(bytes) };
  }

  #valueOf(name: string): Uint8Array | null {
    return (/^\d$/.test(name) ? this.#numbers[Number(name)] : this.#names.get(name)) ?? null;
  }
}
