/**
 * Lines of the list that a worker makes from the contents of a partition. Each is asked for once, and the list is
 * rendered again when it has come.
 */
import type { Partition } from '@wirebench/flasher/esp';
import { pageStore } from '../../../../../shared/page-store.ts';
import type { PlannedChange } from '../../../store/board-changes.ts';
import type { PartitionKind } from './partition-view.ts';

const lines = new WeakMap<Uint8Array, string | null>();
/** Number of lines that have come. */
const arrivals = pageStore<{ readonly count: number }>({ count: 0 });

/** Renders the component again when a line has come. */
export function useDescribedLines(): void {
  arrivals.use(({ count }) => count);
}

/**
 * Returns what a kind says about a partition; null while a worker reads it, or if nothing more is known than its type.
 *
 * @param contents Null until the partition was read as a whole.
 */
export function describedLine(
  kind: PartitionKind,
  partition: Partition,
  contents: Uint8Array | null,
  planned: PlannedChange | null = null,
): string | null {
  const known = contents === null ? undefined : lines.get(contents);
  if (known !== undefined) {
    return planned === null ? known : null;
  }
  const line = kind.describe(partition, contents, planned);
  if (!(line instanceof Promise)) {
    return line;
  }
  if (contents !== null) {
    lines.set(contents, null);
    void line.then(
      (text) => {
        lines.set(contents, text);
        arrivals.setState(({ count }) => ({ count: count + 1 }));
      },
      // The view says why the contents cannot be read.
      () => undefined,
    );
  }
  return null;
}
