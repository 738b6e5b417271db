/**
 * Contents of the board's flash: a list of its partitions, and the view of the chosen one beside it. Edits become
 * planned changes, which the plan of the page lists and writes.
 */
import type { PortNumber } from '@wirebench/serial';
import { ChevronRight, Ellipsis, Eraser, FileUp, Package, Ruler, Save } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { classNames } from '../../../../../shared/ui/class-names.ts';
import { Menu } from '../../../../../shared/ui/menu.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { asItWasText } from '../../../board/as-it-was.ts';
import { BackupRestore } from '../../../board/backup-restore.tsx';
import { useCanRead, useLocked } from '../../../board/use-can-read.ts';
import { Fold } from '../../../fold.tsx';
import { holdsContents } from '../../../state/flash-state.ts';
import { hasImage } from '../../../store/board-builds.ts';
import { useChanges } from '../../../store/board-changes.ts';
import { useBoardContents } from '../../../store/board-contents.ts';
import { backUp } from '../../../store/contents-actions.ts';
import { connectAgain } from '../../../store/flash-actions.ts';
import { flasherStore, useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { useDescribedLines } from './described-lines.ts';
import type { DialogName } from './dialogs.tsx';
import { type BoardEntry, type EntryMark, type EntryState, entriesOf, lineOf, markOf, summaryOf } from './entries.ts';
import { EntryView } from './entry-view.tsx';
import { extraEntries } from './kinds.ts';
import styles from './on-board.module.css';
import { PlanSide, writeChanges } from './plan-side.tsx';
import { planEraseAll } from './whole-changes.ts';

export function OnBoard() {
  const port = useFlasher(({ selected }) => selected);
  const board = useFlash((flash) => flash.board);
  const isHere = useFlash(({ phase }) => phase !== 'none');
  const batchMode = useFlasher((state) => state.batchMode);
  if (board?.family !== 'esp' || !isHere || batchMode) {
    return null;
  }
  return <Section key={`${port} ${board.id ?? ''}`} port={port} board={board} />;
}

interface SectionProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
}

function Section({ port, board }: SectionProps) {
  const hasFiles = useFlasher(hasImage);
  const [folded, setFolded] = useState<boolean | null>(null);
  useDescribedLines();
  const [chosenDialog, setAsked] = useState<DialogName | null>(null);
  // The answer asks for it, too, after an erase.
  const restoring = useFlasher((state) => state.restoring);
  const asked = restoring ? 'restore' : chosenDialog;
  const close = () => {
    setAsked(null);
    flasherStore().setState({ restoring: false });
  };
  const contents = useBoardContents(port);
  const changes = useChanges(port);
  const canRead = useCanRead();
  const isRunning = useFlash(({ phase }) => phase === 'running' || phase === 'done');
  const stateOf = ({ partition }: BoardEntry): EntryState => ({
    board,
    contents: contents.entries.get(partition.offset) ?? null,
    planned: changes.find(({ change }) => change.name === partition.name) ?? null,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const size = board.info.flash?.size ?? null;
  // Files are the plan then, so the section stays out of the way until it is opened.
  const open = !(folded ?? hasFiles);
  // While builds are written by themselves, the log is what the page is for.
  const isWatched = useFlasher(({ watches }) => watches[port] !== null);
  useEditing(port, open && chosen !== null && !contents.written);
  return (
    <>
      <Fold
        framed
        title="On the board"
        open={open}
        onToggle={(next) => setFolded(!next)}
        summary={<OnBoardSummary port={port} text={summaryOf(board, stateOf)} />}
        actions={
          isWatched && !open ? null : (
            <>
              {isRunning && !contents.written && chosen === null ? (
                <Button size="sm" variant="quiet" onClick={() => void connectAgain(port)}>
                  Connect again
                </Button>
              ) : null}
              {isHidden(board) ? null : (
                <Menu
                  align="end"
                  trigger={(props) => (
                    <Button
                      {...props}
                      size="sm"
                      variant="quiet"
                      icon={<Ellipsis />}
                      aria-label="More about what is on the board"
                    />
                  )}
                  items={[
                    { label: 'Save as one file…', icon: <Package />, onSelect: () => setAsked('save') },
                    ...(size === null
                      ? []
                      : [
                          {
                            label: `Save all ${memoryText(size)} as .bin`,
                            icon: <Save />,
                            disabled: !canRead,
                            onSelect: () => void backUp(port, 'flash', { offset: 0, length: size }),
                          },
                        ]),
                    { label: 'Back up partitions…', icon: <Save />, onSelect: () => setAsked('backup') },
                    { label: 'Restore a backup…', icon: <FileUp />, onSelect: () => setAsked('restore') },
                    {
                      label: 'Read or erase a range…',
                      icon: <Ruler />,
                      disabled: !canRead,
                      onSelect: () => setAsked('range'),
                    },
                    ...(size === null || !board.canErase
                      ? []
                      : ([
                          'separator',
                          {
                            label: `Erase all ${memoryText(size)}`,
                            icon: <Eraser />,
                            disabled: !canRead,
                            onSelect: () => planEraseAll(port, size),
                          },
                        ] as const)),
                  ]}
                />
              )}
            </>
          )
        }
      >
        {size === null || isHidden(board) || chosen !== null ? null : (
          <BackupRestore
            label={`Back up all ${memoryText(size)}`}
            what="One zip with a hash of each partition. It holds passwords if the board does."
            locked={!canRead}
            onBackUp={() => void backUpAll(port, board, size)}
          />
        )}
        <Contents
          port={port}
          board={board}
          stateOf={stateOf}
          written={contents.written}
          chosen={chosen}
          onChoose={setChosen}
        />
      </Fold>
      <Dialogs port={port} board={board} asked={asked} onClose={close} />
    </>
  );
}

/** Notes that the plan is shown beside what is edited, and lets Ctrl+Enter write it. */
function useEditing(port: PortNumber, isEditing: boolean): void {
  useEffect(() => {
    if (!isEditing) {
      return;
    }
    const set = (value: boolean) =>
      flasherStore().setState(({ editing }) => ({ editing: { ...editing, [port]: value } }));
    const onKeyDown = (event: KeyboardEvent) => {
      const isDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && !isDialog) {
        event.preventDefault();
        void writeChanges(port);
      }
    };
    set(true);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      set(false);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [port, isEditing]);
}

interface OnBoardSummaryProps {
  readonly port: PortNumber;
  readonly text: string;
}

/** Shows what was read, and its time if the program may have changed it since. */
function OnBoardSummary({ port, text }: OnBoardSummaryProps) {
  const { connectedAt, written } = useBoardContents(port);
  const isHere = useFlash(({ phase }) => holdsContents({ phase }));
  if (written) {
    return 'Written since it was read';
  }
  return isHere || connectedAt === null
    ? text
    : [asItWasText(connectedAt), text].filter((part) => part !== '').join(' · ');
}

/** Saves the whole flash with its chip, the date, the partition table and hashes. */
async function backUpAll(port: PortNumber, board: EspFacts, size: number): Promise<void> {
  const [{ saveBackupSet }, { wholeFlashPart }] = await Promise.all([
    import('./backup/backup-actions.ts'),
    import('@wirebench/flasher/esp/backup'),
  ]);
  await saveBackupSet(port, board, [wholeFlashPart(size)]);
}

const loadDialogs = () => import('./dialogs.tsx');

interface DialogsProps extends SectionProps {
  readonly asked: DialogName | null;
  readonly onClose: () => void;
}

/** The dialogs of the menu. Their code is fetched with the first of them. */
function Dialogs({ asked, onClose, ...props }: DialogsProps) {
  const loaded = useLoaded(asked !== null, loadDialogs, onClose);
  return loaded === null ? null : <loaded.BoardDialogs {...props} asked={asked} onClose={onClose} />;
}

interface ContentsProps extends SectionProps {
  readonly stateOf: (entry: BoardEntry) => EntryState;
  readonly written: boolean;
  /** Key of the entry that is open; null: none. */
  readonly chosen: string | null;
  readonly onChoose: (key: string | null) => void;
}

function Contents({ port, board, stateOf, written, chosen, onChoose }: ContentsProps) {
  const locked = useLocked();
  if (written) {
    return (
      <div className={styles['again']}>
        <p>The board was written since it was read.</p>
        <Button disabled={locked} onClick={() => void connectAgain(port)}>
          Connect and look again
        </Button>
      </div>
    );
  }
  // In Secure Download Mode nothing can be read but what the chip says about its security.
  const entries = isHidden(board) ? [] : entriesOf(board);
  if (entries.length === 0 && !isHidden(board)) {
    return (
      <p className={styles['said']}>This chip has no partition table. Its flash can be read and erased by ranges.</p>
    );
  }
  const entry = entries.find(({ key }) => key === chosen) ?? null;
  const extra = extraEntries.find(({ name }) => name === chosen) ?? null;
  return (
    <div className={classNames(styles['duo'], (entry ?? extra) !== null && styles['chosen'])}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
      <div className={styles['list']} role="group" aria-label="Partitions">
        {entries.map((one) => (
          <Row
            key={one.key}
            name={one.partition.name}
            mark={markOf(one, stateOf(one))}
            line={lineOf(one, stateOf(one))}
            address={addressText(one.partition.offset)}
            size={memoryText(one.partition.size)}
            current={one.key === chosen}
            onOpen={() => onChoose(one.key)}
          />
        ))}
        {extraEntries.map(({ name, icon, describe }) => (
          <Row
            key={name}
            name={name}
            mark={icon(board)}
            line={describe(board) ?? ''}
            address=""
            size=""
            current={name === chosen}
            onOpen={() => onChoose(name)}
          />
        ))}
      </div>
      {entry === null && extra === null ? null : (
        <>
          <div className={styles['pick']}>
            <Select
              aria-label="Partition"
              value={chosen ?? ''}
              onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : value)}
            >
              <option value="">All partitions</option>
              {entries.map(({ key, partition: { name, size } }) => (
                <option key={key} value={key}>
                  {name}, {memoryText(size)}
                </option>
              ))}
              {extraEntries.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </div>
          <EntryView
            key={chosen}
            port={port}
            board={board}
            entry={entry}
            extra={extra}
            state={entry === null ? null : stateOf(entry)}
          />
          <PlanSide port={port} partition={entry?.partition ?? null} />
        </>
      )}
    </div>
  );
}

function isHidden({ info: { security } }: EspFacts): boolean {
  return security.secureDownload;
}

const markNames = {
  holds: 'Holds something',
  empty: 'Empty',
  changed: 'Changed, not written',
  crash: 'Holds a crash',
  unknown: 'Not read',
} satisfies Record<EntryMark, string>;

interface RowProps {
  readonly name: string;
  readonly mark: EntryMark | Exclude<ReactNode, string>;
  readonly line: string;
  readonly address: string;
  readonly size: string;
  readonly current: boolean;
  readonly onOpen: () => void;
}

function Row({ name, mark, line, address, size, current, onOpen }: RowProps) {
  return (
    <button
      type="button"
      className={classNames('ring-inside', styles['row'], current && styles['current'])}
      aria-current={current ? 'true' : undefined}
      onClick={onOpen}
    >
      {typeof mark === 'string' ? (
        <span className={styles['square']} data-mark={mark} />
      ) : (
        <span className={styles['icon']}>{mark}</span>
      )}
      <span className={styles['name']}>{name}</span>
      <span className={`ellipsis ${styles['line']}`}>{line}</span>
      <span className={styles['address']}>{address}</span>
      <span className={styles['size']}>{size}</span>
      <ChevronRight className={styles['go']} />
      {typeof mark === 'string' ? <span className="visually-hidden">{markNames[mark as EntryMark]}</span> : null}
    </button>
  );
}
