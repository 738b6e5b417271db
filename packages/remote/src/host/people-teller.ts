/**
 * Sends each guest the list of guests and their rights. With more guests it sends less often. Each guest gets a
 * message of its own, and a class that opens a link together must not cost the square of its size.
 */
import type { Clock } from '@wirebench/clock';
import { type PersonFields, peopleLimit, type Right } from '../frames/messages.ts';
import type { Visit } from './visit.ts';

/** Shortest time between two lists in milliseconds, and the time that each guest adds to it. */
const pause = 100;
const pausePerGuest = 10;

/** Returns the shortest time between two lists for this number of guests, in milliseconds. */
export const listPause = (guests: number): number => pause + pausePerGuest * guests;

interface PeopleTellerParts {
  readonly clock: Clock;
  readonly visits: () => Iterable<Visit>;
  readonly ports: () => readonly number[];
}

export class PeopleTeller {
  readonly #parts: PeopleTellerParts;
  #cancel: (() => void) | null = null;

  constructor(parts: PeopleTellerParts) {
    this.#parts = parts;
  }

  /** Schedules a list: a guest came or left, or its rights have changed. */
  changed(): void {
    const { clock, visits } = this.#parts;
    this.#cancel ??= clock.schedule(listPause([...visits()].length), () => {
      this.#cancel = null;
      const people = this.#people();
      for (const visit of visits()) {
        this.#tell(visit, people);
      }
    });
  }

  tell(visit: Visit): void {
    this.#tell(visit, this.#people());
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Lists the guests. Those that may do more than watch come first. */
  #people(): readonly (readonly [Visit, PersonFields])[] {
    const ports = this.#parts.ports();
    const people = [...this.#parts.visits()].map((visit) => {
      const rights = ports.flatMap((port): { port: number; right: Right }[] => {
        const right = visit.rightTo(port);
        return right === 'watch' ? [] : [{ port, right }];
      });
      return [visit, { name: visit.name, isYou: false, rights }] as const;
    });
    return people.sort(([, one], [, other]) => Number(other.rights.length > 0) - Number(one.rights.length > 0));
  }

  #tell(visit: Visit, people: readonly (readonly [Visit, PersonFields])[]): void {
    const own = people.findIndex(([one]) => one === visit);
    const shown = people.slice(0, own < peopleLimit ? peopleLimit : peopleLimit - 1);
    if (own >= peopleLimit) {
      shown.push(...people.slice(own, own + 1));
    }
    visit.send({
      kind: 'people',
      total: people.length,
      people: shown.map(([one, person]) => (one === visit ? { ...person, isYou: true } : person)),
    });
  }
}
