/**
 * Facts about the pieces that a decoder has cut from all lanes of a conversation, in columns of typed arrays, 48 bytes a
 * piece. Pieces are addressed by their index in the conversation, which only grows.
 */
import type { FrameLink, PieceKind } from '@wirebench/frames';

/** Pieces of one chunk, a power of two. Chunks are dropped whole. */
const CHUNK_BITS = 12;
const CHUNK_PIECES = 1 << CHUNK_BITS;

const kinds = ['frame', 'broken', 'left-over'] as const satisfies readonly PieceKind[];
const askedSides = [undefined, 'sent', 'received'] as const satisfies readonly FrameLink['asked'][];
const roles = ['notice', 'question', 'answer'] as const satisfies readonly FrameLink['role'][];

/** Columns of a piece. */
const LINE = 0;
/** Lane, kind, role, lateness and direction of the question: `lane + 4 × kind + 12 × role + 36 × isLate + 72 × asked`. */
const SORT = 1;
/** Index of the question, time since it in ms, and time stamp of the adapter; NaN: none. */
const TO = 2;
const MS = 3;
const ADAPTER_AT = 4;
const MISSING = 5;
const COLUMNS = 6;

/** A piece with the line that it is in the channel of its lane. */
export interface BookedPiece {
  readonly line: number;
  /** Index of the lane, 0 to 3. */
  readonly lane: number;
  readonly kind: PieceKind;
  readonly link: Omit<FrameLink, 'related'>;
  /** Indexes of the earlier pieces that are needed to read it. */
  readonly related: readonly number[];
}

export class PieceBook {
  /** Chunks by their number; dropped ones are missing. */
  readonly #chunks = new Map<number, Float64Array>();
  /** Related pieces where they are not just the question. */
  readonly #related = new Map<number, readonly number[]>();
  #oldest = 0;
  #end = 0;

  /** Index of the next piece. */
  get end(): number {
    return this.#end;
  }

  /** Index of the oldest piece that may be held. */
  get oldest(): number {
    return this.#oldest << CHUNK_BITS;
  }

  add({ line, lane, kind, link, related }: BookedPiece): void {
    const index = this.#end++;
    const number = index >> CHUNK_BITS;
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = new Float64Array(CHUNK_PIECES * COLUMNS);
      this.#chunks.set(number, chunk);
    }
    const at = (index & (CHUNK_PIECES - 1)) * COLUMNS;
    chunk[at + LINE] = line;
    const late = link.isLate === true ? 36 : 0;
    const asked = 72 * askedSides.indexOf(link.asked);
    chunk[at + SORT] = lane + 4 * kinds.indexOf(kind) + 12 * roles.indexOf(link.role) + late + asked;
    chunk[at + TO] = link.to ?? Number.NaN;
    chunk[at + MS] = link.ms ?? Number.NaN;
    chunk[at + ADAPTER_AT] = link.adapterAt ?? Number.NaN;
    chunk[at + MISSING] = link.missing;
    if (related.length > 1 || (related.length === 1 && related[0] !== link.to)) {
      this.#related.set(index, related);
    }
  }

  /** Returns a piece; null if it was dropped. */
  at(index: number): BookedPiece | null {
    const chunk = this.#chunks.get(index >> CHUNK_BITS);
    if (chunk === undefined || index >= this.#end) {
      return null;
    }
    const column = (which: number) => chunk[(index & (CHUNK_PIECES - 1)) * COLUMNS + which] as number;
    const sort = column(SORT);
    const to = numberOf(column(TO));
    const adapterAt = numberOf(column(ADAPTER_AT));
    const asked = askedSides[Math.floor(sort / 72)];
    const role = roles[Math.floor(sort / 12) % 3] ?? 'notice';
    return {
      line: column(LINE),
      lane: sort & 3,
      kind: kinds[(sort % 12) >> 2] ?? 'left-over',
      link: {
        role,
        to,
        ms: numberOf(column(MS)),
        ...(sort % 72 >= 36 && { isLate: true }),
        ...(asked !== undefined && { asked }),
        missing: column(MISSING),
        ...(adapterAt !== null && { adapterAt }),
      },
      related: this.#related.get(index) ?? (to === null || role !== 'answer' ? [] : [to]),
    };
  }

  /** Drops the chunks whose pieces are all before `index`. */
  dropBefore(index: number): void {
    const from = this.#oldest;
    this.#oldest = Math.max(from, index >> CHUNK_BITS);
    for (let number = from; number < this.#oldest; number++) {
      this.#chunks.delete(number);
    }
    if (this.#oldest > from) {
      for (const related of this.#related.keys()) {
        if (related >> CHUNK_BITS >= this.#oldest) {
          break;
        }
        this.#related.delete(related);
      }
    }
  }
}

const numberOf = (value: number): number | null => (Number.isNaN(value) ? null : value);
