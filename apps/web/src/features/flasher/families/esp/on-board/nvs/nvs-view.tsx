/** An NVS partition: its keys by namespace, edited in place. All edits become one planned change. */
import { isNvsKeys } from '@wirebench/flasher/esp';
import {
  changeNvs,
  differencesText,
  emptyDraft,
  groupsOf,
  type NvsDraft,
  type NvsEdit,
  NvsError,
  type NvsGroup,
  type NvsRow,
  type NvsSource,
  type NvsStore,
  nvsFailureText,
  planNvs,
  readNvs,
  rebaseDraft,
  shortText,
  storeSource,
  unreadableNvsText,
  withEdit,
  withNamespace,
  withoutEdit,
  withoutNamespace,
} from '@wirebench/flasher/esp/nvs';
import { Ellipsis, FileInput, FileOutput, History, Plus, Search } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { clockText } from '../../../../../../shared/dates/dates.ts';
import { type LocalFile, pickedFiles, takeDropped } from '../../../../../../shared/files/local-files.ts';
import { useFileDrop } from '../../../../../../shared/files/use-file-drop.ts';
import { count, counted } from '../../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { classNames } from '../../../../../../shared/ui/class-names.ts';
import { IconButton } from '../../../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../../../shared/ui/menu.tsx';
import { Meter } from '../../../../../../shared/ui/meter.tsx';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import { TextInput } from '../../../../../../shared/ui/text-input.tsx';
import { asItWasText } from '../../../../board/as-it-was.ts';
import type { PlannedChange } from '../../../../store/board-changes.ts';
import { useBoardContents } from '../../../../store/board-contents.ts';
import { originsOf } from '../../../../store/disk-files.ts';
import { useFlasher } from '../../../../store/flasher-store.ts';
import type { PartitionViewProps } from '../partition-view.ts';
import { AddKeyDialog } from './add-key-dialog.tsx';
import { useEarlierContents } from './earlier-contents.ts';
import { LeftOverEntries } from './left-over-entries.tsx';
import styles from './nvs.module.css';
import { NvsNamespace } from './nvs-namespace.tsx';
import { readNvsFiles } from './nvs-source.ts';
import { SaveCsvDialog } from './save-csv-dialog.tsx';
import { TakeOverDialog } from './take-over-dialog.tsx';

/** Longest value that the search looks at, in characters. */
const MAX_SEARCHED = 4_096;

export function NvsView(props: PartitionViewProps<NvsDraft>) {
  const { contents } = props;
  const store = useMemo(() => readNvs(contents), [contents]);
  return store.kind === 'nvs' || store.kind === 'empty' ? (
    <NvsKeys {...props} store={store} />
  ) : (
    <UnreadableNvs kind={store.kind} port={props.port} />
  );
}

interface UnreadableNvsProps extends Pick<PartitionViewProps, 'port'> {
  readonly kind: Exclude<NvsStore['kind'], 'nvs' | 'empty'>;
}

/** Explains why there are no keys to see. */
function UnreadableNvs({ kind, port }: UnreadableNvsProps) {
  const board = useFlasher(({ flashes }) => flashes[port].board);
  const esp = board?.family === 'esp' ? board : null;
  const { title, text } = unreadableNvsText(kind, {
    keysPartition: esp?.table?.partitions.find(isNvsKeys)?.name ?? null,
    isFlashEncrypted: esp?.info.security.flashEncryption === true,
  });
  return (
    <div className={styles['alone']}>
      <Notice level="info" title={title}>
        {text}
      </Notice>
    </div>
  );
}

interface NvsKeysProps extends PartitionViewProps<NvsDraft> {
  readonly store: NvsStore;
}

function NvsKeys({ port, partition, contents, md5, draft, locked, onChange, store }: NvsKeysProps) {
  const boardId = useFlasher(({ flashes }) => flashes[port].board?.id ?? null);
  // By its name: its keys are compared although a new partition table has moved it.
  const place = boardId === null ? null : `${boardId} ${partition.name}`;
  const read = useBoardContents(port).entries.get(partition.offset);
  const earlier = useEarlierContents(place, contents, md5, read?.md5 === md5 ? read.at : null);
  const earlierStore = useMemo(() => (earlier === null ? null : readNvs(earlier.contents)), [earlier]);
  const broken = useMemo(() => brokenText(contents), [contents]);
  // Edits that do not fit newer contents stay, so that the user can change what does not fit.
  const current = useMemo(
    () =>
      draft === null || draft.basis === md5
        ? draft
        : { ...rebaseDraft(store, draft, md5), rebuilt: draft.rebuilt && broken !== null },
    [store, draft, md5, broken],
  );
  const [order] = useState(() => new Map<string, number>());
  const groups = useMemo(() => inOrder(groupsOf(store, current), order), [store, current, order]);
  const [search, setSearch] = useState('');
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'add' | 'csv' | null>(null);
  const [source, setSource] = useState<NvsSource | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const view = useRef<HTMLDivElement>(null);
  const picked = useRef<HTMLInputElement>(null);

  const open = async (files: readonly LocalFile[]) => setSource(await readNvsFiles(files, partition.name));
  const over = useFileDrop({
    take: locked ? null : (transfer) => void takeDropped(transfer, (files) => void open(files)),
    within: view as RefObject<HTMLElement | null>,
  });

  /** Plans a draft. Returns the reason why it cannot be written; the plan is then unchanged. */
  const plan = (next: NvsDraft): string | null => {
    try {
      onChange(plannedNvs(partition, contents, store, next));
      setRefusal(null);
      return null;
    } catch (error) {
      return refusalText(error);
    }
  };
  const base = current ?? emptyDraft(md5);
  useRebase(draft, md5, () => {
    const reason = plan(base);
    if (reason !== null) {
      setRefusal(`The planned changes do not fit what the board holds now, and cannot be written. ${reason}`);
    }
  });

  const isRevealed = (row: NvsRow) => revealed.has(nameOf(row));
  const reveal = (row: NvsRow) => {
    const next = new Set(revealed);
    if (!next.delete(nameOf(row))) {
      next.add(nameOf(row));
    }
    setRevealed(next);
  };
  const wanted = search.trim().toLowerCase();
  const shown = groups.map((group) => ({
    group,
    found: wanted === '' ? null : group.rows.filter((row) => matches(row, wanted, isRevealed(row))),
  }));
  const hits = shown.reduce((sum, { found }) => sum + (found?.length ?? 0), 0);
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const { written, total: room } = store.usage;
  const changes = earlierStore === null ? null : differencesText(earlierStore, store);

  return (
    <div ref={view} className={classNames(styles['view'], over && styles['over'])}>
      <div className={styles['bar']}>
        <span className={styles['find']}>
          <Search />
          <TextInput
            type="search"
            aria-label="Find a key or a value"
            placeholder="Find a key or a value"
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </span>
        <Button size="sm" variant="quiet" icon={<Plus />} disabled={locked} onClick={() => setDialog('add')}>
          Add a key
        </Button>
        <span className={styles['usage']}>
          <span className={styles['meter']}>
            <Meter
              aria-label={`${Math.round((100 * written) / Math.max(1, room))} % used`}
              max={Math.max(1, room)}
              value={written}
            />
          </span>
          {count(written)} of {count(room)} entries
        </span>
        <Menu
          align="end"
          trigger={(trigger) => (
            <IconButton {...trigger} label="CSV, images, changes" size="sm" variant="quiet" icon={<Ellipsis />} />
          )}
          items={[
            {
              label: 'Take keys over from a file…',
              icon: <FileInput />,
              onSelect: () => picked.current?.click(),
            },
            ...(store.kind === 'empty'
              ? []
              : [{ label: 'Save as CSV…', icon: <FileOutput />, onSelect: () => setDialog('csv') }]),
          ]}
        />
        <input
          ref={picked}
          type="file"
          multiple
          hidden
          aria-label="CSV, image or backup of an NVS partition"
          onChange={({ currentTarget }) => {
            const files = pickedFiles(currentTarget.files, '/');
            // Lets the user choose the same file again after a change.
            currentTarget.value = '';
            if (files.length > 0) {
              void open(files);
            }
          }}
        />
      </div>
      {refusal === null ? null : <Notice level="error" title={refusal} />}
      {store.isMixed ? (
        <Notice level="info" title="Its pages have versions 1 and 2.">
          Firmware of ESP-IDF before 3.2 refuses such an NVS, and usually erases it. Newer firmware reads it.
        </Notice>
      ) : null}
      {broken === null ? null : (
        <Notice
          level="warning"
          title={broken}
          action={
            locked || base.rebuilt ? null : (
              <Button size="sm" onClick={() => setRefusal(plan({ ...base, rebuilt: true }))}>
                Build it again
              </Button>
            )
          }
        >
          {base.rebuilt
            ? 'The next write builds it again from its readable keys. Back it up first: a power failure during the write can lose keys.'
            : 'Building it again keeps the readable keys and allows changes.'}
        </Notice>
      )}
      <p className="visually-hidden" role="status">
        {wanted === '' ? '' : `${counted(hits, 'key')} found`}
      </p>
      <div className={styles['groups']}>
        {shown
          .filter(
            ({ group, found }) => found === null || found.length > 0 || group.namespace.toLowerCase().includes(wanted),
          )
          .map(({ group, found }) => (
            <NvsNamespace
              key={group.namespace}
              group={group}
              found={found === null || found.length > 0 ? found : group.rows}
              locked={locked}
              isRevealed={isRevealed}
              onReveal={reveal}
              onEdit={({ namespace, key }, value) => plan(withEdit(store, base, { namespace, key, value }))}
              onUndo={({ namespace, key }) => plan(withoutEdit(base, namespace, key))}
              onRemove={() => plan(withoutNamespace(store, base, group.namespace))}
              onKeep={() => plan(withNamespace(base, group.namespace))}
            />
          ))}
      </div>
      {wanted === '' ? (
        <LeftOverEntries store={store} />
      ) : hits === 0 ? (
        <p className={styles['aside']}>No key and no visible value contains “{search.trim()}”.</p>
      ) : null}
      {total === 0 ? (
        <p className={styles['aside']}>
          {store.kind === 'empty' ? 'The partition is erased, so it holds no keys.' : 'The partition holds no keys.'}
        </p>
      ) : null}
      {/* Below the keys, so that none of them moves when a write has changed others. */}
      {changes === null || earlier === null || earlierStore === null ? null : (
        <p className={`row ${styles['since']}`}>
          <History />
          <span>
            {changes} since {clockText(earlier.at)}
          </span>
          <Button
            size="sm"
            variant="quiet"
            onClick={() =>
              setSource(storeSource(asItWasText(earlier.at), 'An earlier read of this board', earlierStore))
            }
          >
            Compare
          </Button>
        </p>
      )}
      <AddKeyDialog
        open={dialog === 'add'}
        onClose={() => setDialog(null)}
        groups={groups}
        onAdd={(edit) => plan(withEdit(store, base, edit))}
      />
      <SaveCsvDialog
        open={dialog === 'csv'}
        onClose={() => setDialog(null)}
        store={store}
        name={[boardId?.replaceAll(':', ''), partition.name].filter((part) => part !== undefined).join('-')}
        hasChanges={draft !== null}
      />
      <TakeOverDialog
        source={source}
        onClose={() => setSource(null)}
        groups={groups}
        locked={locked}
        onTake={(edits) => plan(edits.reduce((next, edit) => withEdit(store, next, edit), base))}
      />
    </div>
  );
}

/**
 * Keeps namespaces and keys where they were shown first. A write moves a key to the end of the partition, and the row
 * that the user edits must not move.
 *
 * @param order Places by namespace and key; those that are new are added.
 */
function inOrder(groups: readonly NvsGroup[], order: Map<string, number>): readonly NvsGroup[] {
  const placeOf = (name: string) => {
    const place = order.get(name) ?? order.size;
    order.set(name, place);
    return place;
  };
  const sorted = <Item,>(items: readonly Item[], name: (item: Item) => string) =>
    items.map((item) => ({ item, place: placeOf(name(item)) })).toSorted((one, other) => one.place - other.place);
  return sorted(groups, ({ namespace }) => namespace).map(({ item }) => ({
    ...item,
    rows: sorted(item.rows, nameOf).map(({ item: row }) => row),
  }));
}

/** Calls `rebase` once for contents other than those that the draft was made on. */
function useRebase(draft: NvsDraft | null, md5: string, rebase: () => void): void {
  const act = useEffectEvent(rebase);
  const staleFor = draft === null || draft.basis === md5 ? null : md5;
  useEffect(() => {
    if (staleFor !== null) {
      act();
    }
  }, [staleFor]);
}

/** Returns the planned change with the files that its values came from. @throws NvsError as `planNvs` does. */
function plannedNvs(...given: Parameters<typeof planNvs>): PlannedChange<NvsDraft> | null {
  const planned = planNvs(...given);
  const [, , , draft] = given;
  return planned === null ? null : { ...planned, madeFrom: originsOf(draft.edits.map(({ value }) => value)), draft };
}

/** Returns why no change at all can be made to the partition; null if changes can be made. */
function brokenText(contents: Uint8Array): string | null {
  try {
    changeNvs(contents, []);
    return null;
  } catch (error) {
    if (error instanceof NvsError) {
      return nvsFailureText[error.code].what;
    }
    throw error;
  }
}

/** @throws the error itself if it is no refusal. */
function refusalText(error: unknown): string {
  if (!(error instanceof NvsError)) {
    throw error;
  }
  const { what, remedy } = nvsFailureText[error.code];
  return `${what} ${remedy}`;
}

function nameOf({ namespace, key }: Pick<NvsEdit, 'namespace' | 'key'>): string {
  return JSON.stringify([namespace, key]);
}

/** Hidden values are not searched, so that the number of hits says nothing about them. */
function matches({ namespace, key, before, after, secret }: NvsRow, wanted: string, revealed: boolean): boolean {
  const value = after ?? before?.value ?? null;
  return (
    key.toLowerCase().includes(wanted) ||
    (value !== null &&
      (!secret || revealed) &&
      shortText(namespace, key, value, MAX_SEARCHED).toLowerCase().includes(wanted))
  );
}
