/** Groups counts of flashes by chip. */
import type { FlashesAnswer } from '@wirebench/contract';

type FlashCount = FlashesAnswer['flashes']['counts'][number];

export interface ChipFlashes {
  /** Null if the flasher did not report the chip. */
  readonly chip: string | null;
  /** Successes first, then failures by frequency, highest first. */
  readonly lines: readonly FlashCount[];
}

/** Groups the counts by chip. Sorted by number of flashes, highest first. */
export function flashesByChip(counts: readonly FlashCount[]): ChipFlashes[] {
  const total = (lines: readonly FlashCount[]) => lines.reduce((sum, { count }) => sum + count, 0);
  const rank = ({ result }: FlashCount) => (result === 'success' ? 0 : 1);
  return Array.from(
    Map.groupBy(counts, ({ chip }) => chip),
    ([chip, lines]) => ({
      chip,
      lines: lines.toSorted((one, other) => rank(one) - rank(other) || other.count - one.count),
    }),
  ).sort((one, other) => total(other.lines) - total(one.lines));
}
