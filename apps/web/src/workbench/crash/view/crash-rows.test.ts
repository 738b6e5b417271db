import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import type { ListedDump } from '../symbol-files.ts';
import { crashRows } from './crash-rows.ts';

const incident = (id: number, at: number, change: Partial<Incident> = {}): Incident => {
  return { id, port: 1, at, until: at + 50, severity: 'fault', chip: null, hash: null, lines: [], ...change };
};
const dump = (id: number, at: number, change: Partial<ListedDump> = {}): ListedDump => {
  return { id, name: 'from the log', size: 1, at, port: 1, state: { kind: 'open' }, ...change };
};
const shown = (dumps: readonly ListedDump[], incidents: readonly Incident[]) => {
  const { crashes, restarts } = crashRows(dumps, incidents);
  return {
    crashes: crashes.map((row) => [row.incident?.id ?? null, row.dump?.id ?? null]),
    restarts: restarts.map(({ id }) => id),
  };
};

describe('rows of crashes', () => {
  it('are one for a crash and its core dump, the newest first', () => {
    expect(
      shown([dump(12, 9_100), dump(11, 5_200)], [incident(3, 9_000), incident(2, 7_000), incident(1, 5_000)]),
    ).toEqual({
      crashes: [
        [3, 12],
        [2, null],
        [1, 11],
      ],
      restarts: [],
    });
  });

  it.each([
    ['of another port', dump(11, 5_100, { port: 2 })],
    ['that was dropped', dump(11, 5_100, { port: null })],
    ['that began before it', dump(11, 4_900)],
    ['that began long after it', dump(11, 16_000)],
  ])('are two for a crash and a core dump %s', (_what, other) => {
    expect(shown([other], [incident(1, 5_000)]).crashes).toHaveLength(2);
  });

  it('have lines with addresses of code among them, which are no restart', () => {
    const line = { kind: 'address', severity: 'notice', addresses: [], sequence: 1, text: '' } as const;
    expect(shown([], [incident(1, 5_000), incident(-9, 4_000, { severity: 'notice', lines: [line] })])).toEqual({
      crashes: [
        [1, null],
        [-9, null],
      ],
      restarts: [],
    });
  });

  it('leave restarts to be folded', () => {
    const restart = (id: number, at: number) => incident(id, at, { severity: 'notice' });
    expect(shown([], [restart(5, 900), incident(4, 800), restart(3, 700), restart(2, 600)])).toEqual({
      crashes: [[4, null]],
      restarts: [5, 3, 2],
    });
  });

  it('say why the core dump of a crash could not be read', () => {
    const failed = dump(11, 5_100, { state: { kind: 'failed', message: 'This core dump ends too early.' } });
    expect(crashRows([failed], [incident(1, 5_000)]).crashes).toMatchObject([
      { dump: null, incident: { id: 1 }, failure: { dump: 11, message: 'This core dump ends too early.' } },
    ]);
  });
});
