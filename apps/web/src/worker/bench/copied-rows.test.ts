/** Compares copied selections with a simple model: the text of the painted rows from one place to another. */
import { VirtualClock } from '@wirebench/clock';
import { Bench, type PortNumber, type RowLayout } from '@wirebench/serial';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PaintedRow, paintRow } from '../../protocol/rows/painted-row.ts';
import { CopiedText, tooMuchToCopy } from './row-worker.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
type Field = 'rows' | 'content' | 'characters';

interface Arrival {
  readonly port: PortNumber;
  readonly lane: 'received' | 'sent';
  readonly text: string;
}

const piece = fc.constantFrom(
  ...['a', 'word ', 'é', '漢', '\u{1f600}', '\t', '\n', '\r\n', '\n', '\r', '\b', '\x00', '\x07'],
  ...[
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[K',
    '\x1b[2K',
    '\x1b[2D',
    '\x1b[3C',
    '\x1b]0;t\x07',
    'https://a.example/',
    'x'.repeat(40),
  ],
);
const arrival: fc.Arbitrary<Arrival> = fc.record({
  port: fc.constantFrom<PortNumber>(1, 2),
  lane: fc.constantFrom('received', 'sent'),
  text: fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join('')),
});
const arrivals = fc.array(arrival, { minLength: 1, maxLength: 12 });

const record = (bench: Bench, { port, lane, text }: Arrival) => bench.record(port, lane, encoder.encode(text));

function painted(bench: Bench, layout: RowLayout, controls: boolean): readonly PaintedRow[] {
  return bench
    .rows({ layout, anchor: { position: 0 }, count: 20_000 })
    .rows.map((row) => paintRow(row, layout, { controls }));
}

/** Returns the columns that can be selected in a row. */
const columnsOf = (row: PaintedRow) => (row.offset === null ? row.text.length : (row.characters?.length ?? 0));

function seen(row: PaintedRow, field: Field, start: number, end: number): string {
  if (row.offset === null) {
    // A line that changes after the selection may have a wide character at its edge, which is copied as a whole.
    let at = 0;
    return [...row.text]
      .filter((character) => {
        const from = at;
        at += character.length;
        return at > start && from < end;
      })
      .join('');
  }
  const characters = row.characters ?? '';
  if (field === 'characters') {
    return characters.slice(start, end);
  }
  if (field === 'content') {
    // Two digits and a blank for each byte, and one blank more in the middle.
    const place = (byte: number) => byte * 3 + (byte >= 8 ? 1 : 0);
    return row.text.slice(place(start), place(end)).trim();
  }
  return `${row.offset}  ${row.text.padEnd(48)}  ${characters}`;
}

describe('a copied selection', () => {
  it('is the text of its painted rows, whatever arrives and is dropped during the copy', () => {
    const choice = fc.record({
      layout: fc.constantFrom<RowLayout>('text', 'hex'),
      controls: fc.boolean(),
      field: fc.constantFrom<Field>('rows', 'content', 'characters'),
      flooded: fc.nat({ max: 24 }),
      places: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
    });
    fc.assert(
      fc.property(arrivals, arrivals, choice, (before, after, { layout, controls, field, places, flooded }) => {
        const bench = new Bench({ clock: new VirtualClock(), ringBytes: 65_536 });
        for (const one of before) {
          record(bench, one);
        }
        bench.notice('info', 'a notice between the lines', null);
        const rows = painted(bench, layout, controls);
        const at = (row: number, column: number) => {
          const named = rows[row % rows.length] as PaintedRow;
          const { sequence, part } = named;
          const wanted = column % (columnsOf(named) + 1);
          // Never between the halves of a character.
          const isHalf = named.offset === null && /^[\udc00-\udfff]/.test(named.text.slice(wanted));
          return { sequence, part, column: isHalf ? wanted - 1 : wanted };
        };
        const isBefore = (a: ReturnType<typeof at>, b: ReturnType<typeof at>) =>
          a.sequence - b.sequence || a.part - b.part || a.column - b.column;
        const [from, to] = [at(places[0], places[1]), at(places[2], places[3])].sort(isBefore) as [
          ReturnType<typeof at>,
          ReturnType<typeof at>,
        ];
        // A flood drops the older lines of its port.
        const flood = flooded === 0 ? [{ port: 1, lane: 'received', text: 'flood\n'.repeat(11_000) } as const] : [];
        for (const one of [...after, ...flood]) {
          record(bench, one);
        }
        const now = painted(bench, layout, controls);
        const expected = now
          .filter((row) => isBefore({ ...row, column: 0 }, { ...from, column: 0 }) >= 0)
          .filter((row) => isBefore({ ...row, column: 0 }, { ...to, column: 0 }) <= 0)
          .map((row) => {
            const isFirst = row.sequence === from.sequence && row.part === from.part;
            const isLast = row.sequence === to.sequence && row.part === to.part;
            return field === 'rows'
              ? seen(row, field, 0, columnsOf(row))
              : seen(row, field, isFirst ? from.column : 0, isLast ? to.column : columnsOf(row));
          });
        const copied = new CopiedText(bench.copyRows({ layout, from, to, field, controls }), 1_000_000);
        const text = [...copied.chunks()].map((chunk) => decoder.decode(chunk)).join('');
        expect(copied.rows === 0 ? [] : text.split('\n')).toEqual(expected);
        expect(copied.rows).toBe(expected.length);
      }),
      { numRuns: 500 },
    );
  });

  it('has one line for each of a million, and none behind them', () => {
    const pieces = Array.from({ length: 1_000 }, () => 'a line\n'.repeat(1_000));
    const copied = new CopiedText(pieces, 64 << 20);
    let bytes = 0;
    for (const chunk of copied.chunks()) {
      bytes += chunk.length;
    }
    expect([copied.rows, bytes]).toEqual([1_000_000, 7_000_000 - 1]);
  });

  it('is refused when it is too much for a clipboard', () => {
    const copied = new CopiedText(['abc\n', 'def\n'], 6);
    expect(() => [...copied.chunks()]).toThrow(tooMuchToCopy);
  });
});
