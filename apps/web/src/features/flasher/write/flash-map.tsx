/** Draws the memory map of the board in view, as it is and as it will be. */
import { MemoryMap } from '../../../workbench/memory-map.tsx';
import { wrongChipFiles } from '../answer/wrong-chip.ts';
import { type ListedFile, writeList } from '../files/write-list.ts';
import type { FlashState } from '../state/flash-state.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import { useShownFiles } from '../store/release-builds.ts';
import { mapAreas, mapRegions } from './write-view.ts';

export function useWriteList(): readonly ListedFile[] {
  const files = useShownFiles((chosen) => chosen.files);
  const typed = useFlasher(({ typedOffsets }) => typedOffsets);
  return writeList(files, typed, pageFamily().addresses);
}

export function FlashMap({ flash, hint }: { readonly flash: FlashState; readonly hint?: string }) {
  const list = useWriteList();
  const { addresses } = pageFamily();
  if (addresses.hidden) {
    return hint === undefined ? null : <p>{hint}</p>;
  }
  const regions = mapRegions(list, flash, wrongChipFiles(list, flash.board)?.files);
  const { start: end = Number.POSITIVE_INFINITY } = addresses.beside ?? {};
  return (
    <MemoryMap
      regions={regions.filter(({ start }) => start < end)}
      areas={mapAreas(flash)}
      flash={flash.board?.flash ?? { start: addresses.start, size: null }}
      hint={hint}
    />
  );
}
