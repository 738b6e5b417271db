/**
 * Contents of the board's flash: a list of its partitions, and the view of the chosen one beside it. Edits become
 * planned changes, which the plan of the page lists and writes.
 */
import type { PortNumber } from '@wirebench/serial';
import { ChevronRight, Ellipsis, Eraser, FileUp, Package, Ruler, Save } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { classNames } from '../../../../../shared/ui/class-names.ts';
import { Menu } from '../../../../../shared/ui/menu.tsx';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { asItWasText } from '../../../board/as-it-was.ts';
import { Fold } from '../../../fold.tsx';
import { holdsContents } from '../../../state/flash-state.ts';
import { useChanges } from '../../../store/board-changes.ts';
import { useBoardContents } from '../../../store/board-contents.ts';
import { backUp } from '../../../store/contents-actions.ts';
import { connectAgain } from '../../../store/flash-actions.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import { hasImage } from '../../../store/release-builds.ts';
import { useDescribedLines } from './described-lines.ts';
import type { DialogName } from './dialogs.tsx';
import { type BoardEntry, type EntryMark, type EntryState, entriesOf, lineOf, markOf, summaryOf } from './entries.ts';
import { EntryView } from './entry-view.tsx';
import { extraEntries } from './kinds.ts';
import styles from './on-board.module.css';
import { useCanRead, useLocked } from './use-can-read.ts';
import { planEraseAll } from './whole-changes.ts';

export function OnBoard() {
  const port = useFlasher(({ selected }) => selected);
  const board = useFlash((flash) => flash.board);
  const isHere = useFlash(({ phase }) => phase !== 'none' && phase !== 'connecting');
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
  const [asked, setAsked] = useState<DialogName | null>(null);
  const close = () => setAsked(null);
  const contents = useBoardContents(port);
  const changes = useChanges(port);
  const canRead = useCanRead();
  const isRunning = useFlash(({ phase }) => phase === 'running');
  const stateOf = ({ partition }: BoardEntry): EntryState => ({
    board,
    contents: contents.entries.get(partition.offset) ?? null,
    planned: changes.find(({ change }) => change.name === partition.name) ?? null,
  });
  const size = board.info.flash?.size ?? null;
  // Files are the plan then, so the section stays out of the way until it is opened.
  const open = !(folded ?? hasFiles);
  return (
    <>
      <Fold
        framed
        title="On the board"
        open={open}
        onToggle={(next) => setFolded(!next)}
        summary={<OnBoardSummary port={port} text={summaryOf(board, stateOf)} />}
        actions={
          <>
            {isRunning && !contents.written ? (
              <Button size="sm" variant="quiet" onClick={() => void connectAgain(port)}>
                Connect again
              </Button>
            ) : null}
            {size === null ? null : (
              <Button
                size="sm"
                variant="quiet"
                icon={<Save />}
                disabled={!canRead}
                onClick={() => void backUp(port, 'flash', { offset: 0, length: size })}
              >
                Back up all {memoryText(size)}
              </Button>
            )}
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
        }
      >
        <Contents port={port} board={board} stateOf={stateOf} written={contents.written} />
      </Fold>
      <Dialogs port={port} board={board} asked={asked} onClose={close} />
    </>
  );
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
}

function Contents({ port, board, stateOf, written }: ContentsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
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
            onOpen={() => setChosen(one.key)}
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
            onOpen={() => setChosen(name)}
          />
        ))}
      </div>
      {entry === null && extra === null ? null : (
        <EntryView
          key={chosen}
          port={port}
          board={board}
          entry={entry}
          extra={extra}
          state={entry === null ? null : stateOf(entry)}
          onBack={() => setChosen(null)}
        />
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
      <span className={styles['line']}>{line}</span>
      <span className={styles['address']}>{address}</span>
      <span className={styles['size']}>{size}</span>
      <ChevronRight className={styles['go']} />
      {typeof mark === 'string' ? <span className="visually-hidden">{markNames[mark as EntryMark]}</span> : null}
    </button>
  );
}
