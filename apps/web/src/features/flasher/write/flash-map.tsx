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
  const changes = useChanges(port).map(({ change }) => change);
  const { written } = useBoardContents(port);
  if (addresses.hidden) {
    return hint === undefined ? null : <p>{hint}</p>;
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
