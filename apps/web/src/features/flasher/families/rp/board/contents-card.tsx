/** The flash of an RP2040 or RP2350: saving all of it, reading any range, and erasing. */
import { inSectors } from '@wirebench/flasher/core';
import { ContentsFold } from '../../../board/contents-fold.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { WholeFlashActions } from '../../../board/whole-flash-actions.tsx';
import { isReady } from '../../../state/flash-state.ts';
import { askErase, type EraseTarget } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';

export function RpContentsCard() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const port = useFlasher(({ selected }) => selected);
  if (board?.family !== 'rp' || phase === 'none' || phase === 'connecting' || board.info.link === 'drive') {
    return null;
  }
  const locked = !isReady({ phase });
  const { start, size } = board.flash;
  const eraseTyped = (typed: EraseTarget) =>
    askErase(typed.range === null ? typed : { ...typed, range: inSectors(typed.range) });
  return (
    <ContentsFold
      summary={size === null ? 'Empty flash' : summaryOf(board.info.users)}
      actions={
        size === null ? undefined : (
          <WholeFlashActions port={port} locked={locked} flash={{ offset: start, length: size }} onErase={askErase} />
        )
      }
    >
      <RangeForm port={port} locked={locked} limits={{ start, size, multipleOf: 4_096 }} onErase={eraseTyped} />
    </ContentsFold>
  );
}

const summaryOf = (users: readonly { readonly name: string }[]) =>
  users.length === 0 ? 'No file system found' : users.map(({ name }) => name).join(', ');
