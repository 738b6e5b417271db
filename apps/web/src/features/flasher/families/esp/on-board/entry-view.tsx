/** The view of one entry: its head with actions, and its contents once they are read. */
import type { Partition } from '@wirebench/flasher/esp';
import type { PortNumber } from '@wirebench/serial';
import { Binary, Ellipsis, Eraser, FileUp, Save } from 'lucide-react';
import { type ComponentType, useRef, useState } from 'react';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Menu, type MenuAction } from '../../../../../shared/ui/menu.tsx';
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import { NotRead, useReadOnce } from '../../../board/opened-place.tsx';
import { useCanRead, useLocked } from '../../../board/use-can-read.ts';
import { setChange } from '../../../store/board-changes.ts';
import { backUp } from '../../../store/contents-actions.ts';
import type { BoardEntry, EntryState } from './entries.ts';
import { kindOf } from './kinds.ts';
import styles from './on-board.module.css';
import type { ExtraEntry, PartitionKind, PartitionViewProps } from './partition-view.ts';
import { rawKind } from './raw/raw-kind.ts';
import { planErase, planRestore } from './whole-changes.ts';
import { isWhole } from './whole-draft.ts';

export interface EntryViewProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  /** Exactly one of `entry` and `extra` is given. */
  readonly entry: BoardEntry | null;
  readonly extra: ExtraEntry | null;
  readonly state: EntryState | null;
}

export function EntryView({ port, board, entry, extra, state }: EntryViewProps) {
  return (
    <div className={styles['view']}>
      {entry !== null && state !== null ? (
        <PartitionEntry port={port} board={board} entry={entry} state={state} />
      ) : extra === null ? null : (
        <ExtraView port={port} board={board} extra={extra} />
      )}
    </div>
  );
}

interface PartitionEntryProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly entry: BoardEntry;
  readonly state: EntryState;
}

function PartitionEntry({ port, board, entry, state }: PartitionEntryProps) {
  const { partition } = entry;
  const { contents, planned } = state;
  const { name, offset, size } = partition;
  const range = { offset, length: size };
  const [isRaw, setRaw] = useState(false);
  const canRead = useCanRead();
  const locked = useLocked();
  const file = useRef<HTMLInputElement>(null);
  const own = kindOf(partition, contents?.bytes ?? null);
  const kind = isRaw ? rawKind : own;
  const actions: (MenuAction | 'separator')[] = [
    {
      label: 'Restore from a file…',
      icon: <FileUp />,
      disabled: locked,
      onSelect: () => file.current?.click(),
    },
    ...(own === rawKind
      ? []
      : [
          {
            label: isRaw ? 'Show the contents' : 'Show the bytes',
            icon: <Binary />,
            onSelect: () => setRaw(!isRaw),
          },
        ]),
    ...(board.canErase
      ? [
          'separator' as const,
          { label: `Erase ${name}`, icon: <Eraser />, disabled: locked, onSelect: () => planErase(port, name, range) },
        ]
      : []),
  ];
  return (
    <>
      <div className={styles['viewHead']}>
        <h3 className={styles['viewName']}>{name}</h3>
        <span className={`ellipsis ${styles['facts1']}`}>
          {memoryText(size)} at {addressText(offset)}
        </span>
        <div className={styles['actions']}>
          <Button
            size="sm"
            variant="quiet"
            icon={<Save />}
            disabled={!canRead}
            onClick={() => void backUp(port, name, range)}
          >
            Back up
          </Button>
          <Menu
            align="end"
            trigger={(props) => (
              <Button {...props} size="sm" variant="quiet" icon={<Ellipsis />} aria-label={`More about ${name}`} />
            )}
            items={actions}
          />
        </div>
        <input
          ref={file}
          type="file"
          hidden
          aria-label={`Backup of ${name}`}
          onChange={({ currentTarget }) => {
            const [given] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (given !== undefined) {
              void planRestore(port, name, range, given, board.canErase);
            }
          }}
        />
      </div>
      <EntryContents
        key={isRaw ? 'raw' : 'own'}
        port={port}
        partition={partition}
        kind={kind}
        state={state}
        locked={locked || (planned !== null && isWhole(planned))}
      />
    </>
  );
}

interface EntryContentsProps {
  readonly port: PortNumber;
  readonly partition: Partition;
  readonly kind: PartitionKind;
  readonly state: EntryState;
  readonly locked: boolean;
}

const nothing = new Uint8Array();

function EntryContents({ port, partition, kind, state, locked }: EntryContentsProps) {
  const { contents, planned } = state;
  const readsItself = kind.readsItself === true;
  useReadOnce(port, partition, !readsItself && contents === null);
  if (!readsItself && contents === null) {
    return <NotRead port={port} place={partition} />;
  }
  const draft = planned === null || isWhole(planned) ? null : planned.draft;
  return (
    <KindView
      key={idOf(kind)}
      kind={kind}
      props={{
        port,
        partition,
        contents: contents?.bytes ?? nothing,
        md5: contents?.md5 ?? '',
        draft: draft as never,
        locked,
        onChange: (change) => setChange(port, partition.name, change),
      }}
    />
  );
}

interface KindViewProps {
  readonly kind: PartitionKind;
  readonly props: PartitionViewProps<never>;
}

function KindView({ kind, props }: KindViewProps) {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  const View: { readonly View: ComponentType<PartitionViewProps<never>> } | null = useLoaded(
    !failed,
    kindLoader(kind),
    () => setFailed(true),
  );
  if (View !== null) {
    return <View.View key={tries} {...props} />;
  }
  return failed ? (
    <div className={styles['again']}>
      <p>This view could not be loaded.</p>
      <Button
        onClick={() => {
          setFailed(false);
          setTries(tries + 1);
        }}
      >
        Try again
      </Button>
    </div>
  ) : null;
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** Returns a number for a kind: the view is another one when the contents turn out to be of another kind. */
function idOf(kind: object): number {
  const id = ids.get(kind) ?? ++lastId;
  ids.set(kind, id);
  return id;
}

const loaders = new WeakMap<object, () => Promise<{ readonly View: ComponentType<never> }>>();

/** Returns the same function for the same kind, because `useLoaded` loads again for another one. */
function kindLoader<Props>(kind: { readonly load: () => Promise<ComponentType<Props>> }) {
  const known = loaders.get(kind);
  if (known !== undefined) {
    return known as () => Promise<{ readonly View: ComponentType<Props> }>;
  }
  const load = async () => ({ View: await kind.load() });
  loaders.set(kind, load as never);
  return load;
}

interface ExtraViewProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly extra: ExtraEntry;
}

function ExtraView({ port, board, extra }: ExtraViewProps) {
  const locked = useLocked();
  const [failed, setFailed] = useState(false);
  const loaded = useLoaded(!failed, kindLoader(extra), () => setFailed(true));
  return (
    <>
      <div className={styles['viewHead']}>
        <h3 className={styles['viewName']}>{extra.name}</h3>
      </div>
      {loaded !== null ? <loaded.View port={port} board={board} locked={locked} /> : null}
      {failed ? (
        <div className={styles['again']}>
          <p>This view could not be loaded.</p>
          <Button onClick={() => setFailed(false)}>Try again</Button>
        </div>
      ) : null}
    </>
  );
}
