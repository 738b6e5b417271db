import { expect, it } from 'vitest';
import { flashesByChip } from './flashes-dialog.tsx';

it('flashes are put together by chip, successes first, the busiest chip first', () => {
  const success = (chip: string | null, count: number) =>
    ({ result: 'success', chip, errorCode: null, count }) as const;
  const failure = (chip: string, errorCode: string, count: number) =>
    ({ result: 'failure', chip, errorCode, count }) as const;
  const counts = [
    failure('ESP32', 'no-answer', 9),
    success('ESP32-S3', 8),
    failure('ESP32', 'wrong-chip', 2),
    success('ESP32', 1),
    success(null, 1),
  ];
  expect(flashesByChip(counts)).toEqual([
    { chip: 'ESP32', lines: [counts[3], counts[0], counts[2]] },
    { chip: 'ESP32-S3', lines: [counts[1]] },
    { chip: null, lines: [counts[4]] },
  ]);
});
