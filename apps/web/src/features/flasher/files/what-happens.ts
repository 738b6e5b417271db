/** Says of each file what a write does with it, before the write. */

import { type FlashState, isReady } from '../state/flash-state.ts';
import type { ListedFile } from './write-list.ts';

export interface FileFate {
  readonly text: string;
  /** `same`: nothing is written. `bad`: the file cannot be written to this board. */
  readonly kind: 'none' | 'same' | 'write' | 'bad';
}

const nothing: FileFate = { text: '', kind: 'none' };

/** @param wrong True: the file was built for another chip. */
export function fileFate(file: ListedFile, { plan, phase, board }: FlashState, wrong: boolean): FileFate {
  if (wrong) {
    return { text: `For ${file.chip ?? 'another chip'}`, kind: 'bad' };
  }
  const own = plan?.regions.filter((region) => region.file === file.name) ?? [];
  if (plan === null || own.length === 0) {
    return unplanned(file, board !== null && (isReady({ phase }) || phase === 'planning' || phase === 'running'));
  }
  if (plan.refusals.some(({ files }) => files.includes(file.name))) {
    return { text: 'Not possible', kind: 'bad' };
  }
  if (own.every(({ same }) => same === true)) {
    return { text: 'Same as on the board', kind: 'same' };
  }
  return { text: replacedText(file, plan.map), kind: 'write' };
}

function unplanned({ chip }: ListedFile, connected: boolean): FileFate {
  if (chip === undefined) {
    return nothing;
  }
  return { text: connected ? 'Fits' : `For ${chip}`, kind: 'none' };
}

/** Names the areas that the file lies in, as far as they are known: `Replaces factory`. */
function replacedText({ ranges }: ListedFile, map: NonNullable<FlashState['plan']>['map']): string {
  const names = map.flatMap(({ name, offset, length }) =>
    name !== null && ranges.some((range) => range.offset < offset + length && offset < range.offset + range.length)
      ? [name]
      : [],
  );
  const [only, another] = [...new Set(names)];
  return only === undefined ? 'Written' : another === undefined ? `Replaces ${only}` : 'Replaces several areas';
}
