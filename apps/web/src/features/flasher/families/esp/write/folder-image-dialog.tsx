/** Makes a file system from a folder: a file of the partition's size, which joins the files to write at its place. */
import { sectorSize } from '@wirebench/flasher/core';
import { isFileSystem, type Partition, subtypeName } from '@wirebench/flasher/esp';
import { type FileSystemKind, fileSystemNames, isSystemFile } from '@wirebench/flasher/file-systems';
import { FolderOpen } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { type LocalFile, pickedFiles } from '../../../../../shared/files/local-files.ts';
import { sizeText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { counted } from '../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../shared/ui/dialog.tsx';
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../../shared/ui/text-input.tsx';
import { useOpenings } from '../../../../../shared/ui/use-openings.ts';
import { fileSystemLine } from '../../../../../workbench/file-system-line.ts';
import { typedRange } from '../../../board/range-text.ts';
import type { FolderImageProps } from '../../../page-family.ts';
import { addFiles } from '../../../store/file-actions.ts';
import { useFlash } from '../../../store/flasher-store.ts';
import styles from './folder-image-dialog.module.css';

const kinds = Object.keys(fileSystemNames) as readonly FileSystemKind[];
const elsewhere = 'elsewhere';
const noPartitions: readonly Partition[] = [];

/** Each opening starts with an empty form. */
export function FolderImageDialog({ open, onClose }: FolderImageProps) {
  return <FolderImageForm key={useOpenings(open)} open={open} onClose={onClose} />;
}

/** The partition type names the kind, except for LittleFS of Arduino, which the person chooses. */
function kindOf(partition: Partition | undefined): FileSystemKind {
  const name = partition === undefined ? 'littlefs' : subtypeName(partition);
  return kinds.find((kind) => kind === name) ?? 'littlefs';
}

function FolderImageForm({ open, onClose }: FolderImageProps) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const partitions = useFlash(({ board }) =>
    board?.family === 'esp' ? (board.table?.partitions ?? noPartitions) : noPartitions,
  ).filter(isFileSystem);
  const flashSize = useFlash(({ board }) => (board?.family === 'esp' ? (board.info.flash?.size ?? null) : null));
  const [place, setPlace] = useState(partitions[0]?.name ?? elsewhere);
  const partition = partitions.find(({ name }) => name === place);
  const [kind, setKind] = useState<FileSystemKind | null>(null);
  const [files, setFiles] = useState<readonly LocalFile[] | null>(null);
  const [offset, setOffset] = useState('');
  const [size, setSize] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const chosen = kind ?? kindOf(partition);
  const total = (files ?? []).reduce((sum, { file }) => sum + file.size, 0);
  const make = async () => {
    if (files === null || files.length === 0) {
      setFailure('Choose a folder with the files first.');
      return;
    }
    const typed =
      partition === undefined
        ? typedRange(offset, size, { start: 0, size: flashSize, multipleOf: sectorSize })
        : { ok: true as const, range: { offset: partition.offset, length: partition.size } };
    if (!typed.ok) {
      setFailure(typed.fault);
      return;
    }
    const { range } = typed;
    if (total > range.length) {
      setFailure(`The files have ${sizeText(total)}, the place has ${sizeText(range.length)}. Choose fewer files.`);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const contents = await Promise.all(
        files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })),
      );
      const image = await fileSystemLine().call('build', chosen, range.length, contents);
      await addFiles([
        {
          name: `${partition?.name ?? chosen}.bin`,
          content: new Blob([image as Uint8Array<ArrayBuffer>]),
          offset: range.offset,
          madeFrom: files.map(({ path, file }) => ({ name: path, content: file })),
        },
      ]);
      onClose();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title="File system from a folder"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            Add to the files
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="stack apart"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void make();
        }}
      >
        <p>Makes the image of a partition with the contents of a folder, as firmware finds it after the write.</p>
        <div className="buttons">
          <Button icon={<FolderOpen />} onClick={() => input.current?.click()}>
            Choose the folder
          </Button>
          <span role="status">{files === null ? '' : `${counted(files.length, 'file')}, ${sizeText(total)}`}</span>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          {...{ webkitdirectory: '' }}
          aria-label="Folder for the file system"
          onChange={({ currentTarget }) => {
            setFiles(pickedFiles(currentTarget.files, 'inside').filter(({ path }) => !isSystemFile(path)));
            setFailure(null);
            currentTarget.value = '';
          }}
        />
        <Field label="Place">
          {(ids) => (
            <Select
              {...ids}
              value={place}
              onChange={({ currentTarget }) => {
                setPlace(currentTarget.value);
                setKind(null);
              }}
            >
              {partitions.map(({ name, offset: at, size: length }) => (
                <option key={name} value={name}>
                  {name}, {sizeText(length)} at {addressText(at)}
                </option>
              ))}
              <option value={elsewhere}>Another place</option>
            </Select>
          )}
        </Field>
        {partition === undefined ? (
          <div className={`stack apart ${styles['pair']}`}>
            <Field label="Offset">
              {(ids) => (
                <TextInput
                  {...ids}
                  mono
                  placeholder="0x110000"
                  value={offset}
                  onChange={({ currentTarget }) => setOffset(currentTarget.value)}
                />
              )}
            </Field>
            <Field label="Size">
              {(ids) => (
                <TextInput
                  {...ids}
                  mono
                  placeholder="0x20000"
                  value={size}
                  onChange={({ currentTarget }) => setSize(currentTarget.value)}
                />
              )}
            </Field>
          </div>
        ) : null}
        <Field label="Kind" error={failure}>
          {(ids) => (
            <Select
              {...ids}
              value={chosen}
              onChange={({ currentTarget }) => setKind(kinds.find((one) => one === currentTarget.value) ?? null)}
            >
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {fileSystemNames[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </form>
    </Dialog>
  );
}
