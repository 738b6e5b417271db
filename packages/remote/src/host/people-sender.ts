/** Sends each guest the list of guests and their rights. With more guests it sends less often. */
import type { Clock } from '@wirebench/clock';
import { type PersonFields, peopleLimit, type Right } from '../frames/messages.ts';
import { SpacedLists } from './spaced-lists.ts';
import type { Visit } from './visit.ts';

interface PeopleSenderParts {
  readonly clock: Clock;
  readonly visits: () => Iterable<Visit>;
  readonly ports: () => readonly number[];
}

export class PeopleSender {
  readonly #parts: PeopleSenderParts;
  readonly #lists: SpacedLists;

  constructor(parts: PeopleSenderParts) {
    this.#parts = parts;
    const { clock, visits } = parts;
    this.#lists = new SpacedLists({ clock, guests: () => [...visits()].length, sendAll: () => this.#sendAll() });
  }

  /** Schedules a list: a guest came or left, or its rights have changed. */
  changed(): void {
    this.#lists.schedule();
  }

  send(visit: Visit): void {
    this.#send(visit, this.#people());
  }

  stop(): void {
    this.#lists.stop();
  }

  #sendAll(): void {
    const people = this.#people();
    for (const visit of this.#parts.visits()) {
      this.#send(visit, people);
    }
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

  #send(visit: Visit, people: readonly (readonly [Visit, PersonFields])[]): void {
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
