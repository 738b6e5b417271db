/** Draws the memory map of the board in view, as it is and as it will be. */
import { MemoryMap } from '../../../workbench/memory-map.tsx';
import { wrongChipFiles } from '../answer/wrong-chip.ts';
import { type ListedFile, writeList } from '../files/write-list.ts';
import type { FlashState } from '../state/flash-state.ts';
import { useShownFiles } from '../store/board-builds.ts';
import { useChanges } from '../store/board-changes.ts';
import { useBoardContents } from '../store/board-contents.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import { changedBoxes, mapAreas, mapRegions } from './write-view.ts';

export function useWriteList(): readonly ListedFile[] {
  const files = useShownFiles((chosen) => chosen.files);
  const typed = useFlasher(({ typedOffsets }) => typedOffsets);
  return writeList(files, typed, pageFamily().addresses);
}

export function FlashMap({ flash, hint }: { readonly flash: FlashState; readonly hint?: string }) {
  const list = useWriteList();
  const { addresses } = pageFamily();
  const port = useFlasher(({ selected }) => selected);
  const planned = useChanges(port);
  const changes = planned.map(({ change }) => change);
  const whole = planned.find(({ isWholeErase }) => isWholeErase)?.erased ?? flash.emptied;
  const { written } = useBoardContents(port);
  if (addresses.hidden) {
    return hint === undefined ? null : <p>{hint}</p>;
  }
  const { start: from, size } = flash.board?.flash ?? { start: 0, size: null };
  if (whole !== null && list.length === 0 && size !== null) {
    // One band: nothing of the areas is left.
    const band = { label: whole, start: from, end: from + size, fate: 'erased' } as const;
    return <MemoryMap regions={[]} areas={[band]} flash={{ start: from, size }} hint={hint} />;
  }
  const regions = [
    ...mapRegions(list, flash, wrongChipFiles(list, flash.board)?.files),
    ...changedBoxes(
      flash,
      list.map(({ name }) => name),
      changes,
    ),
  ];
  const { start: end = Number.POSITIVE_INFINITY } = addresses.beside ?? {};
  return (
    <MemoryMap
      regions={regions.filter(({ start }) => start < end)}
      areas={mapAreas(flash, changes, written)}
      flash={flash.board?.flash ?? { start: addresses.start, size: null }}
      hint={hint}
    />
  );
}
