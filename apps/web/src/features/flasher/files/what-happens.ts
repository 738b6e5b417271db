/** Says of each file what a write does with it, before the write. */

import type { FlashRange } from '@wirebench/flasher/core';
import type { NamedArea } from '../../../protocol/flash-protocol.ts';
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
  return { text: replacedText(file, plan.map, board?.areas ?? []), kind: 'write' };
}

function unplanned({ chip }: ListedFile, connected: boolean): FileFate {
  if (chip === undefined) {
    return nothing;
  }
  return { text: connected ? 'Fits' : `For ${chip}`, kind: 'none' };
}

/** Names the program or the areas that the file replaces, as far as they are known: `Replaces weather-node 1.3.2`. */
function replacedText(
  { ranges }: ListedFile,
  map: NonNullable<FlashState['plan']>['map'],
  areas: readonly NamedArea[],
): string {
  const isHit = ({ offset, length }: FlashRange) =>
    ranges.some((range) => range.offset < offset + length && offset < range.offset + range.length);
  const names = map.flatMap(({ name, ...range }) => (name !== null && isHit(range) ? [name] : []));
  const [only, another] = [...new Set(names)];
  if (another !== undefined) {
    return 'Replaces several areas';
  }
  const replaced = areas.find((area) => area.name === only && isHit(area))?.holds ?? only;
  return replaced === undefined ? 'Written' : `Replaces ${replaced}`;
}
