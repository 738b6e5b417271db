/** Collects new notices of the timeline, so that a page can announce them to a screen reader without fetching rows. */
import { type Bench, lineText } from '@wirebench/serial';
import type { SpokenNotice } from '../../protocol/bench-protocol.ts';

export class NoticeFeed {
  readonly #bench: Bench;
  readonly #notices: ReturnType<Bench['search']>;
  #last = -1;

  constructor(bench: Bench) {
    this.#bench = bench;
    this.#notices = bench.search({ kind: 'regex', source: '^', ignoreCase: false, channels: ['notices'] });
  }

  /** Returns the notices since the last call, oldest first. */
  take(): SpokenNotice[] {
    while (this.#notices.step()) {
      // Ends soon, because few lines are notices.
    }
    const fresh: SpokenNotice[] = [];
    for (let index = this.#notices.count - 1; index >= 0; index--) {
      const sequence = this.#notices.sequenceAt(index) ?? -1;
      if (sequence <= this.#last) {
        break;
      }
      fresh.unshift(this.#read(sequence));
    }
    this.#last = fresh.at(-1)?.sequence ?? this.#last;
    return fresh;
  }

  #read(sequence: number): SpokenNotice {
    const { rows } = this.#bench.rows({ layout: 'text', anchor: { sequence, part: 0, offset: 0 }, count: 1 });
    const row = rows[0];
    return { sequence, level: row?.level ?? 'info', text: row === undefined ? '' : lineText(row.bytes) };
  }
}
