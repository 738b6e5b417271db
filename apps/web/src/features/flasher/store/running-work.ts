/** Actions on boards that have not ended. A phase ends before its action: the monitor opens after a result is shown. */
import type { PortNumber } from '@wirebench/serial';

/** Boards whose write has been asked for and has not begun: files are read, or the board is connected. */
export const writesAhead = new Set<PortNumber>();

const running = new Map<PortNumber, Set<Promise<unknown>>>();

/** Counts `work` as running at this board until it settles. Returns it. */
export function tracked<Result>(port: PortNumber, work: Promise<Result>): Promise<Result> {
  const works = running.get(port) ?? new Set();
  running.set(port, works.add(work));
  const end = () => works.delete(work);
  work.then(end, end);
  return work;
}

/** Resolves when no action runs at this board. */
export async function settled(port: PortNumber): Promise<void> {
  for (let works = running.get(port); works !== undefined && works.size > 0; works = running.get(port)) {
    await Promise.allSettled(works);
  }
}
