/** The flash of an RP2040 or RP2350: what its program says of itself, saving, reading any range, and erasing. */
import { inSectors } from '@wirebench/flasher/core';
import { fileSystemPlaces } from '@wirebench/flasher/rp';
import type { PortNumber } from '@wirebench/serial';
import { FileSearch, FolderClosed, FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { FileSection } from '../../../../../protocol/flash-protocol.ts';
import type { RpFacts } from '../../../../../protocol/rp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { loadedPlace } from '../../../../../shared/ui/loaded-dialog.tsx';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { BackupRestore } from '../../../board/backup-restore.tsx';
import { ContentsFold, useBoardKey } from '../../../board/contents-fold.tsx';
import { EraseAll } from '../../../board/erase-all.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { useLocked } from '../../../board/use-can-read.ts';

import { isReady } from '../../../state/flash-state.ts';
import { useBoardContents } from '../../../store/board-contents.ts';
import { backUp } from '../../../store/contents-actions.ts';
import { askErase, type EraseTarget } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import styles from './contents-card.module.css';
import { Sections } from './sections.tsx';

/** Opened files belong to one board: another may have its own at the same address. */
export function RpContentsCard() {
  return <BoardContents key={useBoardKey()} />;
}

function BoardContents() {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const batchMode = useFlasher((state) => state.batchMode);
  const [opened, setOpened] = useState<number | null>(null);
  // Opened files stay while the board is connected again: their edits are not made once more.
  if (board?.family !== 'rp' || phase === 'none' || (phase === 'connecting' && opened === null)) {
    return null;
  }
  if (board.info.link === 'drive') {
    return (
      <ContentsFold summary="Not shown by its drive">
        <p className={styles['drive']}>
          The drive takes firmware only: the files that MicroPython or CircuitPython keeps in flash can neither be read
          nor changed through it. Connect the board over USB to open them.
        </p>
      </ContentsFold>
    );
  }
  const locked = !isReady({ phase });
  const { start, size } = board.flash;
  const eraseTyped = (typed: EraseTarget) =>
    askErase(typed.range === null ? typed : { ...typed, range: inSectors(typed.range) });
  return (
    <ContentsFold
      edits={opened !== null}
      summary={size === null ? 'Empty flash' : summaryOf(board.info.users)}
      actions={size === null ? undefined : <EraseAll locked={locked} size={size} onErase={askErase} />}
    >
      {size === null ? null : (
        <BackupRestore
          label={`Back up all ${memoryText(size)}`}
          what="One .bin file of its flash. Its name has the address, where it goes back."
          locked={locked}
          onBackUp={() => void backUp(port, 'flash', { offset: start, length: size })}
        />
      )}
      {size === null ? null : <OwnProgram port={port} board={board} locked={locked} />}
      <Partitions partitions={board.info.partitions} />
      {batchMode ? null : <FileSystems port={port} board={board} opened={opened} onOpen={setOpened} />}
      <RangeForm port={port} locked={locked} limits={{ start, size, multipleOf: 4_096 }} onErase={eraseTyped} />
    </ContentsFold>
  );
}

/** Partitions of an RP2350. Nothing is said of a board that was not asked. */
function Partitions({ partitions }: Pick<RpFacts['info'], 'partitions'>) {
  return partitions === null ? null : (
    <div className={styles['program']}>
      {partitions === 'none' ? (
        <p className="small">The board has no partition table.</p>
      ) : (
        <PartitionRows partitions={partitions} />
      )}
    </div>
  );
}

/** Fetches the words for partitions with the first board that has some. */
const PartitionRows = loadedPlace(
  () => true,
  async () => {
    const { partitionSections } = await import('./own-program.ts');
    return ({ partitions }: { readonly partitions: Parameters<typeof partitionSections>[0] }) => (
      <Sections sections={partitionSections(partitions)} />
    );
  },
);

const summaryOf = (users: readonly { readonly name: string }[]) =>
  users.length === 0 ? 'No file system found' : users.map(({ name }) => name).join(', ');

/** A read of the program: the connection that it belongs to, and what was found. */
interface ReadProgram {
  readonly connection: number;
  /** Null: it says nothing of itself. */
  readonly sections: readonly FileSection[] | null;
}

interface OwnProgramProps {
  readonly port: PortNumber;
  readonly board: RpFacts;
  readonly locked: boolean;
}

/** Reads what the program on the board says of itself, when a person asks for it. */
function OwnProgram({ port, board, locked }: OwnProgramProps) {
  const { connection, written } = useBoardContents(port);
  const [read, setRead] = useState<ReadProgram | null>(null);
  const shown = read !== null && read.connection === connection && !written ? read : null;
  const readNow = async () => {
    const { readOwnProgram } = await import('./own-program.ts');
    const sections = await readOwnProgram(port, board);
    if (sections !== null) {
      setRead({ connection, sections: sections.length === 0 ? null : sections });
    }
  };
  return (
    <div className={styles['program']}>
      {shown === null ? (
        <Button size="sm" icon={<FileSearch />} disabled={locked} onClick={() => void readNow()}>
          Read its program’s name and version
        </Button>
      ) : shown.sections === null ? (
        <p className="small" role="status">
          The program on the board says nothing of itself.
        </p>
      ) : (
        <Sections sections={shown.sections} />
      )}
    </div>
  );
}

const loadFiles = () => import('./files-in-flash.tsx');

interface FileSystemsProps {
  readonly port: PortNumber;
  readonly board: RpFacts;
  /** Address of the file system whose files are shown; null: none. */
  readonly opened: number | null;
  readonly onOpen: (offset: number | null) => void;
}

/** Lists the file systems in flash. Their files are read when a person opens them. */
function FileSystems({ port, board, opened, onOpen }: FileSystemsProps) {
  const locked = useLocked();
  const places = fileSystemPlaces(board.info.users);
  const place = places.find(({ offset }) => offset === opened) ?? null;
  const loaded = useLoaded(place !== null, loadFiles, () => onOpen(null));
  return (
    <>
      {places.map(({ name, offset, size }) => (
        <div key={offset} className={`row ${styles['place']}`}>
          <Button
            size="sm"
            icon={offset === opened ? <FolderOpen /> : <FolderClosed />}
            disabled={locked && offset !== opened}
            aria-expanded={offset === opened}
            onClick={() => onOpen(offset === opened ? null : offset)}
          >
            {name}
          </Button>
          <span className="small">
            {memoryText(size)} at {addressText(offset)}
          </span>
        </div>
      ))}
      {place === null || loaded === null ? null : <loaded.FilesInFlash key={place.offset} port={port} place={place} />}
    </>
  );
}
