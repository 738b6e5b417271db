/** Files of a partition: LittleFS or SPIFFS. Edits are a planned change, which the one *Write* carries out. */
import {
  type FileEdit,
  type FileSystemKind,
  type FileSystemUsage,
  fileSystemNames,
} from '@wirebench/flasher/file-systems';
import { FolderPlus, MoreHorizontal, Save, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FileSystemState } from '../../../../../../protocol/file-system-protocol.ts';
import { pickedFiles, takeDropped } from '../../../../../../shared/files/local-files.ts';
import { useFileDrop } from '../../../../../../shared/files/use-file-drop.ts';
import { count } from '../../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../../../shared/ui/menu.tsx';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import type { PartitionViewProps } from '../partition-view.ts';
import { FilePane } from './file-preview.tsx';
import { parentOf, rowsOf } from './file-rows.ts';
import { FileTree } from './file-tree.tsx';
import { FilesSession } from './files-session.ts';
import styles from './files-view.module.css';
import { NameForm, type NameFormProps } from './name-form.tsx';
import { type FilesDraft, plannedFiles } from './planned-files.ts';

/** Trees with more entries are folded at the start. */
const maxUnfolded = 60;

const kinds = Object.keys(fileSystemNames) as readonly FileSystemKind[];

export function FilesView(props: PartitionViewProps<FilesDraft>) {
  const [selected, setSelected] = useState<string | null>(null);
  return <MountedFiles key={props.partition.offset} {...props} selected={selected} onSelect={setSelected} />;
}

interface Selection {
  /** Path in the tree. */
  readonly selected: string | null;
  readonly onSelect: (path: string | null) => void;
}

type MountedProps = PartitionViewProps<FilesDraft> & Selection;

function MountedFiles({ partition, contents, md5, draft, locked, onChange, selected, onSelect }: MountedProps) {
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });
  const [session] = useState(
    () =>
      new FilesSession({ bytes: contents, md5 }, draft ?? [], (edits, state, basis) =>
        report.current(plannedFiles(partition, basis, edits, state)),
      ),
  );
  useEffect(() => {
    session.open();
    return () => session.close();
  }, [session]);
  useEffect(() => session.take({ bytes: contents, md5 }, draft), [session, contents, md5, draft]);
  const { state, failure, done } = session.store.use();
  return (
    <div className={styles['view']}>
      {partition.encrypted ? (
        <Notice level="info" title="The partition table marks this partition as encrypted.">
          With flash encryption switched on, what is read here is encrypted and shows no files.
        </Notice>
      ) : null}
      {partition.readOnly ? (
        <Notice level="info" title="The partition table marks this partition as read-only.">
          Firmware does not change it. It can be changed from here.
        </Notice>
      ) : null}
      <div className={styles['answer']}>{failure === null ? null : <Notice level="error">{failure}</Notice>}</div>
      {state === null ? (
        failure === null ? (
          <p className={styles['hint']}>Reading the files…</p>
        ) : null
      ) : state.kind === null ? (
        <NoFiles session={session} state={state} locked={locked} />
      ) : (
        <Files
          session={session}
          name={partition.name}
          state={state}
          locked={locked}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      {/* Below the files, so that none of them moves. */}
      <div role="status" className={styles['done']}>
        {done}
      </div>
    </div>
  );
}

interface StateProps {
  readonly session: FilesSession;
  readonly state: FileSystemState;
  /** True: the board is being written or read. */
  readonly locked: boolean;
}

function NoFiles({ session, state: { fault }, locked }: StateProps) {
  return (
    <div className={`stack apart ${styles['none']}`}>
      <p>
        <b>{fault?.what}</b> {fault?.remedy}
      </p>
      {locked ? null : (
        <>
          <p>Formatting is planned first, like every other change. It removes what is in the partition.</p>
          <span className="buttons">
            {kinds.map((kind) => (
              <Button key={kind} size="sm" onClick={() => void session.format(kind)}>
                Format as {fileSystemNames[kind]}
              </Button>
            ))}
          </span>
        </>
      )}
    </div>
  );
}

interface FilesProps extends StateProps, Selection {
  /** Name of the partition. */
  readonly name: string;
}

function Files({ session, name, state, locked, selected, onSelect }: FilesProps) {
  const place = useRef<HTMLDivElement>(null);
  const revision = session.store.use((shown) => shown.revision);
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => startFolded(state));
  const [naming, setNaming] = useState<Omit<NameFormProps, 'onClose'> | null>(null);
  const canEdit = !locked && !state.isReadOnly;
  const entry = state.entries.find(({ path }) => path === selected) ?? null;
  const folder =
    entry === null || entry.change === 'removed' ? '' : entry.kind === 'folder' ? entry.path : parentOf(entry.path);
  const over = useFileDrop({
    take: canEdit ? (transfer) => void takeDropped(transfer, (local) => void session.upload(local, folder)) : null,
    within: place,
  });
  const edit = (edits: readonly FileEdit[]) => session.edit(edits);
  const rename = (path: string) =>
    setNaming({
      label: `New path of ${path}`,
      start: path,
      action: 'Rename',
      onSubmit: async (to) => {
        const target = to.startsWith('/') ? to : `/${to}`;
        const isDone = await edit([{ kind: 'rename', path, to: target }]);
        if (isDone) {
          onSelect(target);
        }
        return isDone;
      },
    });
  const remove = (path: string) => void edit([{ kind: 'remove', path }]);
  const make = (kind: 'folder' | 'file') =>
    setNaming({
      label: `Path of the new ${kind}`,
      start: `${folder}/`,
      action: kind === 'folder' ? 'Make folder' : 'Make file',
      onSubmit: async (wanted) => {
        const path = wanted.startsWith('/') ? wanted : `/${wanted}`;
        if (state.entries.some((other) => other.path === path && other.change !== 'removed')) {
          session.refuse(`${path} exists already. Choose another name.`);
          return false;
        }
        const isDone = await edit([
          kind === 'folder' ? { kind: 'make-folder', path } : { kind: 'write', path, bytes: new Uint8Array() },
        ]);
        if (isDone) {
          onSelect(path);
        }
        return isDone;
      },
    });
  return (
    <div ref={place} className={styles['place']} data-over={over}>
      <Toolbar
        session={session}
        name={name}
        state={state}
        canEdit={canEdit}
        canFormat={!locked}
        folder={folder}
        onMake={make}
      />
      {state.isFormatted ? (
        <Notice
          level="warning"
          title="Everything in this partition is removed with the next write."
          action={
            locked ? undefined : (
              <Button size="sm" onClick={() => session.reset()}>
                Undo
              </Button>
            )
          }
        >
          It is formatted as {fileSystemNames[state.kind ?? 'littlefs']} first.
        </Notice>
      ) : (
        state.findings.map(({ code, what, remedy }) => (
          <Notice key={code} level={code === 'interrupted' ? 'info' : 'warning'} title={what}>
            {remedy}
          </Notice>
        ))
      )}
      {naming === null ? null : <NameForm key={naming.label} {...naming} onClose={() => setNaming(null)} />}
      <div className={styles['columns']}>
        {state.entries.length === 0 ? (
          <p className={styles['hint']}>There are no files.{canEdit ? ' Upload some, or drop them here.' : ''}</p>
        ) : (
          <FileTree
            label={`Files in ${name}`}
            rows={rowsOf(state.entries, folded)}
            selected={selected}
            onSelect={onSelect}
            onFold={(path, isFolded) => {
              const next = new Set(folded);
              next[isFolded ? 'add' : 'delete'](path);
              setFolded(next);
            }}
            onRemove={canEdit ? remove : null}
            onRename={canEdit ? rename : null}
          />
        )}
        {entry === null ? (
          <p className={styles['hint']}>{state.entries.length === 0 ? '' : 'Choose a file to see what is in it.'}</p>
        ) : (
          <FilePane
            session={session}
            entry={entry}
            canEdit={canEdit}
            revision={revision}
            onRename={() => rename(entry.path)}
            onRemove={() => remove(entry.path)}
          />
        )}
      </div>
      <p className={`small ${styles['facts']}`}>{state.title}</p>
    </div>
  );
}

function startFolded({ entries }: FileSystemState): ReadonlySet<string> {
  const folders = entries.length > maxUnfolded ? entries.filter(({ kind }) => kind === 'folder') : [];
  return new Set(folders.map(({ path }) => path));
}

interface ToolbarProps {
  readonly session: FilesSession;
  /** Name of the partition. */
  readonly name: string;
  readonly state: FileSystemState;
  readonly canEdit: boolean;
  readonly canFormat: boolean;
  /** Folder for new files; empty at the top. */
  readonly folder: string;
  readonly onMake: (kind: 'folder' | 'file') => void;
}

interface UsageBarProps {
  readonly usage: FileSystemUsage;
  /** Space in use on the board, in bytes. */
  readonly before: number;
}

const kilobytes = (bytes: number) => Math.round(bytes / 1_024);
const percent = (part: number, { total }: FileSystemUsage) => (total === 0 ? 0 : Math.min(100, (part / total) * 100));

/** Space in use, with what the plan adds in blue. */
function UsageBar({ usage, before }: UsageBarProps) {
  const { used, total } = usage;
  const added = used - before;
  const kept = Math.min(used, before);
  const difference = kilobytes(Math.abs(added));
  const change = added === 0 ? '' : `, ${added > 0 ? '+' : '−'}${count(difference)}`;
  const planned =
    added > 0
      ? `, ${Math.round(percent(added, usage))} % to be added`
      : added < 0
        ? `, ${difference} KB to be freed`
        : '';
  return (
    <span className={`row ${styles['usage']}`}>
      <span className={styles['bar']} role="img" aria-label={`${Math.round(percent(kept, usage))} % used${planned}`}>
        <i style={{ width: `${percent(kept, usage)}%` }} />
        <i className={styles['planned']} style={{ width: `${percent(Math.max(0, added), usage)}%` }} />
      </span>
      <span>
        {count(kilobytes(kept))} of {count(kilobytes(total))} KB{change}
      </span>
    </span>
  );
}

function Toolbar({ session, name, state, canEdit, canFormat, folder, onMake }: ToolbarProps) {
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const { usage, usedBefore, hasFolders } = state;
  return (
    <div className={styles['toolbar']}>
      {canEdit ? (
        <>
          <Button size="sm" icon={<Upload />} onClick={() => files.current?.click()}>
            Upload
          </Button>
          {hasFolders ? (
            <Button
              size="sm"
              variant="quiet"
              className={styles['wide']}
              icon={<FolderPlus />}
              onClick={() => onMake('folder')}
            >
              New folder
            </Button>
          ) : null}
          <span className={`ellipsis ${styles['dropHint']}`}>
            {folder === '' ? 'or drop files here' : `or drop files here, into ${folder}`}
          </span>
        </>
      ) : null}
      <span className={styles['end']}>
        {usage === null ? null : <UsageBar usage={usage} before={usedBefore} />}
        <IconButton
          size="sm"
          variant="quiet"
          icon={<Save />}
          label="Save all as zip"
          onClick={() => session.saveAll(name)}
        />
        {canFormat ? (
          <Menu
            align="end"
            items={[
              ...(canEdit
                ? [
                    { label: 'Upload the contents of a folder…', onSelect: () => folders.current?.click() },
                    { label: 'New text file…', onSelect: () => onMake('file') },
                    ...(hasFolders ? [{ label: 'New folder…', onSelect: () => onMake('folder') }] : []),
                    'separator' as const,
                  ]
                : []),
              ...kinds.map((kind) => ({
                label: `Format as ${fileSystemNames[kind]}`,
                onSelect: () => void session.format(kind),
              })),
            ]}
            trigger={(props) => (
              <Button
                {...props}
                size="sm"
                variant="quiet"
                icon={<MoreHorizontal />}
                aria-label={`More about the files in ${name}`}
              />
            )}
          />
        ) : null}
      </span>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={`Files for ${name}`}
        onChange={({ currentTarget: input }) => {
          void session.upload(pickedFiles(input.files, '/'), folder);
          input.value = '';
        }}
      />
      <input
        ref={folders}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        aria-label={`Folder for ${name}`}
        onChange={({ currentTarget: input }) => {
          void session.upload(pickedFiles(input.files, 'inside'), folder);
          input.value = '';
        }}
      />
    </div>
  );
}
