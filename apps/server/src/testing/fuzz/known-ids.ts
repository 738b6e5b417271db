/**
 * Ids from earlier answers, by kind, so that later requests address existing items. The kind is derived from the
 * surrounding names: `project._id`, `versions[]._id`, `data._id` below `/api/jkits`.
 */
import fc from 'fast-check';
import type { ApiOperation } from '../api-document.ts';

/** A placeholder for an id of a kind. The number selects one of the known ids. */
export interface KnownId {
  readonly kind: string;
  readonly knownId: number;
}

export function knownId(kind: string): fc.Arbitrary<KnownId> {
  return fc.record({ kind: fc.constant(kind), knownId: fc.nat(1_000) });
}

/** Returns the kind of id for a parameter of `path`. */
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

  /** Returns an id of `kind`. Every tenth number selects any kind. Returns an unknown id if none is known. */
  pick({ kind, knownId: number }: KnownId): string {
    const fitting = [...(this.#byKind.get(kind) ?? [])];
    const all = [...this.#byKind.values()].flatMap((ids) => [...ids]);
    const chosen = number % 10 === 0 ? all : fitting;
    return chosen[number % Math.max(1, chosen.length)] ?? NOWHERE;
  }

  /** Collects the ids in an answer. Secrets of publishing tokens are ids of the kind `secret`. */
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
