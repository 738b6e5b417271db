/**
 * Ids that earlier answers gave, by what they are of, so that later requests ask for things that are there. What they are of
 * is read off the names around them: `project._id`, `versions[]._id`, `data._id` below `/api/jkits`.
 */
import fc from 'fast-check';
import type { ApiOperation } from '../api-document.ts';

/** Stands for an id of that kind, whichever of them the number leads to. */
export interface KnownId {
  readonly kind: string;
  readonly knownId: number;
}

export function knownId(kind: string): fc.Arbitrary<KnownId> {
  return fc.record({ kind: fc.constant(kind), knownId: fc.nat(1_000) });
}

/** The kind of id that goes into a parameter of `path`. */
export function kindOfParameter(path: string, name: string): string {
  if (name === 'fileId') {
    return 'file';
  }
  if (name === 'fingerprint' || name === 'exampleId') {
    return name.replace('Id', '');
  }
  const before = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';
  if (path.includes('/shared/')) {
    return `shared-${before}`;
  }
  return path.includes('/versions/') ? 'project' : singular(before);
}

const NOWHERE = '01990000-0000-7000-8000-000000000000';

export class KnownIds {
  readonly #byKind = new Map<string, Set<string>>();

  /** One of `kind`; now and then one of another kind, and a made-up one while there is none. */
  pick({ kind, knownId: number }: KnownId): string {
    const fitting = [...(this.#byKind.get(kind) ?? [])];
    const all = [...this.#byKind.values()].flatMap((ids) => [...ids]);
    const chosen = number % 10 === 0 ? all : fitting;
    return chosen[number % Math.max(1, chosen.length)] ?? NOWHERE;
  }

  /** Secrets of publishing tokens count as ids of the kind `secret`. */
  collect({ path }: ApiOperation, answer: unknown): void {
    const feature = singular(path.split('/')[2] ?? '');
    const ofAddress = /\/(project|version)\/\{id\}\/share$/.exec(path)?.[1] ?? feature;
    this.#walk(answer, ofAddress);
  }

  #walk(value: unknown, kind: string): void {
    if (Array.isArray(value)) {
      for (const entry of value) {
        this.#walk(entry, kind);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        if (typeof entry === 'string') {
          this.#keep(key, entry, kind);
        } else {
          this.#walk(entry, key === 'data' ? kind : singular(key));
        }
      }
    }
  }

  #keep(key: string, text: string, kind: string): void {
    const kinds: Readonly<Record<string, string>> = {
      _id: kind,
      shareId: `shared-${kind}`,
      secret: 'secret',
      fingerprint: 'fingerprint',
    };
    const kept = kinds[key];
    if (kept !== undefined) {
      this.#byKind.set(kept, (this.#byKind.get(kept) ?? new Set()).add(text));
    }
  }
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
