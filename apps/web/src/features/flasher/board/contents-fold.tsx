/**
 * Frame of *On the board*. It is open until files or changes are planned. When the board has restarted, it stays and
 * says when it was read.
 */
import { type ReactNode, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Fold } from '../fold.tsx';
import { holdsContents } from '../state/flash-state.ts';
import { hasImage } from '../store/board-builds.ts';
import { useChanges } from '../store/board-changes.ts';
import { connectAgain } from '../store/flash-actions.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { useAsItWas } from './as-it-was.ts';

export interface ContentsFoldProps {
  /** Contents in a few words: `3 partitions`. */
  readonly summary: ReactNode;
  /** Buttons that need the board in its bootloader. */
  readonly actions?: ReactNode;
  /** True: what is planned is edited in it, so that a plan leaves it open. */
  readonly edits?: boolean;
  readonly children: ReactNode;
}

/** Returns a key for what is typed, asked and opened at the board of the selected port, so that it ends with that board. */
export function useBoardKey(): string {
  const port = useFlasher(({ selected }) => selected);
  const id = useFlash(({ board }) => board?.id ?? '');
  return `${port} ${id}`;
}

export function ContentsFold(props: ContentsFoldProps) {
  return <BoardFold key={useBoardKey()} {...props} />;
}

function BoardFold({ summary, actions, edits = false, children }: ContentsFoldProps) {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const hasFiles = useFlasher(hasImage);
  const hasChanges = useChanges(port).length > 0;
  const isHere = holdsContents({ phase });
  const waits = hasFiles || hasChanges;
  const [wanted, setWanted] = useState<boolean | null>(null);
  const asItWas = useAsItWas();
  // While builds are written by themselves, the log is what the page is for.
  const isWatched = useFlasher(({ watches }) => watches[port] !== null);
  const open = wanted ?? (edits || !waits);
  const writes = phase === 'writing' || phase === 'restarting';
  return (
    <Fold
      framed
      title="On the board"
      open={open}
      onToggle={setWanted}
      summary={isHere ? summary : writes ? 'Rests while writing' : asItWas}
      actions={
        isWatched && !open ? null : isHere ? (
          actions
        ) : phase !== 'running' && phase !== 'done' ? null : (
          <Button size="sm" variant="quiet" onClick={() => void connectAgain(port)}>
            Connect again
          </Button>
        )
      }
    >
      {children}
    </Fold>
  );
}
