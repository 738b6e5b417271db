/** Files of a file system in flash. Edits are a planned change, which the one *Write* carries out. */
import { type FileEdit, type FileSystemKind, fileSystemNames } from '@wirebench/flasher/file-systems';
import { useEffect, useRef, useState } from 'react';
import type { FileSystemState } from '../../../protocol/file-system-protocol.ts';
import { takeDropped } from '../../../shared/files/local-files.ts';
import { useFileDrop } from '../../../shared/files/use-file-drop.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { PlannedChange } from '../store/board-changes.ts';
import { FilePane } from './file-preview.tsx';
import { parentOf, rowsOf } from './file-rows.ts';
import { FileTree } from './file-tree.tsx';
import { FilesSession } from './files-session.ts';
import { type FilesOfFamily, FilesToolbar } from './files-toolbar.tsx';
import styles from './files-view.module.css';
import { NameForm, type NameFormProps } from './name-form.tsx';
import { type FilesDraft, type FilesPlace, plannedFiles } from './planned-files.ts';

/** Trees with more entries are folded at the start. */
const maxUnfolded = 60;

const kinds = Object.keys(fileSystemNames) as readonly FileSystemKind[];

const inPartitions: FilesOfFamily = { formats: kinds, wearLevelling: true, word: 'partition' };

export interface FilesViewProps {
  readonly partition: FilesPlace;
  /** All bytes of the place as they were read. Not to be changed. */
  readonly contents: Uint8Array;
  /** MD5 of `contents`, as 32 lower-case hexadecimal digits: the basis of a change. */
  readonly md5: string;
  /** Edits that are planned already; null if there are none. */
  readonly draft: FilesDraft | null;
  /** True: the board is being written or read, so that nothing can be edited. */
  readonly locked: boolean;
  /** Missing: those of partitions. */
  readonly family?: FilesOfFamily;
  /** Takes the planned change; null if nothing differs from the board any more. */
  onChange(planned: PlannedChange<FilesDraft> | null): void;
}

export function FilesView(props: FilesViewProps) {
  const [selected, setSelected] = useState<string | null>(null);
  return <MountedFiles key={props.partition.offset} {...props} selected={selected} onSelect={setSelected} />;
}

interface Selection {
  /** Path in the tree. */
  readonly selected: string | null;
  readonly onSelect: (path: string | null) => void;
}

type MountedProps = FilesViewProps & Selection;

function MountedFiles({
  partition,
  contents,
  md5,
  draft,
  locked,
  family = inPartitions,
  onChange,
  selected,
  onSelect,
}: MountedProps) {
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
        <NoFiles session={session} state={state} locked={locked} family={family} />
      ) : (
        <Files
          session={session}
          name={partition.name}
          state={state}
          locked={locked}
          family={family}
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
  readonly family: FilesOfFamily;
}

function NoFiles({ session, state: { fault }, locked, family: { formats, wearLevelling, word } }: StateProps) {
  return (
    <div className={`stack apart ${styles['none']}`}>
      <p>
        <b>{fault?.what}</b> {fault?.remedy}
      </p>
      {locked ? null : (
        <>
          <p>Formatting is planned first, like every other change. It removes what is in the {word}.</p>
          <span className="buttons">
            {formats.map((kind) => (
              <Button key={kind} size="sm" onClick={() => void session.format(kind, wearLevelling)}>
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
  /** Name of the place. */
  readonly name: string;
}

function Files({ session, name, state, locked, family, selected, onSelect }: FilesProps) {
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
      <FilesToolbar
        session={session}
        name={name}
        state={state}
        family={family}
        canEdit={canEdit}
        canFormat={!locked}
        folder={folder}
        onMake={make}
      />
      {state.isFormatted ? (
        <Notice
          level="warning"
          title={`Everything in this ${family.word} is removed with the next write.`}
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
