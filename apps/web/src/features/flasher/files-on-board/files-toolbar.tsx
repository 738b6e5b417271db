/** Buttons above the files of a file system: upload, new folders, saving, formatting, and the space in use. */
import { type FileSystemKind, type FileSystemUsage, fileSystemNames } from '@wirebench/flasher/file-systems';
import { FolderPlus, MoreHorizontal, Save, Upload } from 'lucide-react';
import { useRef } from 'react';
import type { FileSystemState } from '../../../protocol/file-system-protocol.ts';
import { pickedFiles } from '../../../shared/files/local-files.ts';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import type { FilesSession } from './files-session.ts';
import styles from './files-view.module.css';

/** Kinds that a family's programs mount, and the word for their place. */
export interface FilesOfFamily {
  readonly formats: readonly FileSystemKind[];
  /** False: FAT is a plain volume. */
  readonly wearLevelling: boolean;
  readonly word: string;
}

interface FilesToolbarProps {
  readonly session: FilesSession;
  /** Name of the place. */
  readonly name: string;
  readonly state: FileSystemState;
  readonly family: FilesOfFamily;
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

export function FilesToolbar({ session, name, state, family, canEdit, canFormat, folder, onMake }: FilesToolbarProps) {
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
              ...family.formats.map((kind) => ({
                label: `Format as ${fileSystemNames[kind]}`,
                onSelect: () => void session.format(kind, family.wearLevelling),
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
