/** Table of the files: recognised and placed, with what happens to each, and afterwards with its result. */

import type { FlashRange } from '@wirebench/flasher/core';
import { ArrowRight, ChevronDown, CircleX, Equal, FileCode2, Pencil, Undo2, X } from 'lucide-react';
import { type ReactNode, use } from 'react';
import type { NamedArea } from '../../../protocol/flash-protocol.ts';
import { memoryText, sizeText } from '../../../shared/format/bytes.ts';
import { addressText } from '../../../shared/format/hex.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { FileName } from '../../../shared/ui/file-name.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { wrongChipFiles } from '../answer/wrong-chip.ts';
import { type FlashState, isReady } from '../state/flash-state.ts';
import { type PlannedChange, setChange } from '../store/board-changes.ts';
import { removeFile, typeOffset } from '../store/file-actions.ts';
import { maxFiles, pageFamily, useFlash, useFlasher, useWholeFlash } from '../store/flasher-store.ts';
import { fileProgress } from '../write/write-view.ts';
import { FileStatus } from './file-status.tsx';
import styles from './file-table.module.css';
import { OffsetFieldsContext } from './offset-fields.ts';
import { placeText } from './offset-text.ts';
import type { ListedFile } from './write-list.ts';

export interface FileTableProps {
  readonly list: readonly ListedFile[];
  /** Changes to the board's contents, which are written with the files. */
  readonly changes: readonly PlannedChange[];
  /** True: nothing can be changed now. */
  readonly locked: boolean;
  /** True: files are being written or were written, so results are shown. */
  readonly settled: boolean;
  /** True: the files are a build of a release, which are not counted against the limit of chosen files. */
  readonly isBuild?: boolean;
}

/** Effect of a write on a file, said before the write. */
interface FileFate {
  readonly text: string;
  /** `same`: nothing is written. `bad`: the file cannot be written to this board. */
  readonly kind: 'none' | 'same' | 'write' | 'bad';
}

const nothing: FileFate = { text: '', kind: 'none' };

/** @param wrong True: the file was built for another chip. */
export function fileFate(file: ListedFile, { plan, phase, board }: FlashState, wrong: boolean): FileFate {
  if (wrong) {
    return { text: `For ${file.chip ?? 'another chip'}`, kind: 'bad' };
  }
  // Also of a file of which nothing would be written.
  const refusal = plan?.refusals.find(({ files }) => files.includes(file.name));
  if (refusal !== undefined) {
    return { text: refusalText(refusal), kind: 'bad' };
  }
  const own = plan?.regions.filter((region) => region.file === file.name) ?? [];
  if (plan === null || own.length === 0) {
    return unplanned(file, board !== null && (isReady({ phase }) || phase === 'planning' || phase === 'running'));
  }
  if (own.every(({ same }) => same === true)) {
    return { text: 'Same', kind: 'same' };
  }
  return { text: replacedText(file, plan.map, board?.areas ?? []), kind: 'write' };
}

/** Refusals of files that are no program. A person may override them. */
const noProgram: readonly string[] = ['not-an-image', 'not-firmware'];

/** Returns the word for a refused file. A file that can be written anyway is not impossible. */
const refusalText = ({ code, overridable }: { readonly code: string; readonly overridable: boolean }) =>
  noProgram.includes(code) ? 'Not a program' : overridable ? 'Needs your decision' : 'Not possible';

function unplanned({ chip }: ListedFile, connected: boolean): FileFate {
  if (chip === undefined) {
    return nothing;
  }
  return { text: connected ? 'Fits' : `For ${chip}`, kind: 'none' };
}

/** Names the program or the areas that the file replaces, as far as they are known: `Replaces weather-node 1.3.2`. */
function replacedText(
  { ranges }: ListedFile,
  map: NonNullable<FlashState['plan']>['map'],
  areas: readonly NamedArea[],
): string {
  const isHit = ({ offset, length }: FlashRange) =>
    ranges.some((range) => range.offset < offset + length && offset < range.offset + range.length);
  const names = map.flatMap(({ name, ...range }) => (name !== null && isHit(range) ? [name] : []));
  const [only, another] = [...new Set(names)];
  if (another !== undefined) {
    return 'Replaces several areas';
  }
  const area = areas.find((one) => one.name === only && isHit(one));
  if (area?.isEmpty === true) {
    return 'New';
  }
  const replaced = area?.holds ?? only;
  return replaced === undefined ? 'Will be written' : `Replaces ${replaced}`;
}

export function FileTable({ list, changes, locked, settled, isBuild = false }: FileTableProps) {
  const { addresses } = pageFamily();
  const flash = useWholeFlash();
  const wrong = wrongChipFiles(list, flash.board)?.files ?? [];
  const hidden = addresses.hidden ?? false;
  return (
    <table className={`table ${styles['files']}`}>
      <thead>
        <tr>
          <th scope="col">
            Files <span className={styles['count']}>{isBuild ? list.length : countText(list)}</span>
          </th>
          {hidden ? null : (
            <th scope="col" className={styles['offset']}>
              {capital(addresses.word)}
              {locked || list.every(({ places }) => places !== null) ? null : <OffsetPencil />}
            </th>
          )}
          <th scope="col" className={classNames('number', styles['size'])}>
            Size
          </th>
          {hidden ? null : (
            <th scope="col" className={styles['end']}>
              Ends at
            </th>
          )}
          <th scope="col" className={styles['fate']}>
            {settled ? 'Result' : 'What happens'}
          </th>
          <th scope="col" className={styles['last']}>
            <span className="visually-hidden">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            locked={locked}
            fate={
              settled ? (
                <FileStatus name={file.name} progress={fileProgress(file.name, flash)} />
              ) : (
                <Fate {...fileFate(file, flash, wrong.includes(file.id))} />
              )
            }
            isWrong={wrong.includes(file.id)}
          />
        ))}
        {changes.map((planned) => (
          <ChangeRow key={planned.change.name} planned={planned} locked={locked} settled={settled} />
        ))}
      </tbody>
    </table>
  );
}

/** Counts the files, and names the limit once it is reached: `4 of at most 4`. A build is one of them: `7, 4 of at most 4`. */
function countText(list: readonly ListedFile[]): string {
  const added = new Set(list.map(({ id, build }) => build ?? id)).size;
  const limit = added < maxFiles ? '' : `${added} of at most ${maxFiles}`;
  return [...(added === list.length && limit !== '' ? [] : [list.length > 1 ? String(list.length) : '']), limit]
    .filter((part) => part !== '')
    .join(', ');
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

function OffsetPencil() {
  const { open, setOpen } = use(OffsetFieldsContext);
  const { word } = pageFamily().addresses;
  return (
    <IconButton
      label={`Change ${word}${word.endsWith('s') ? 'es' : 's'}`}
      variant="quiet"
      size="sm"
      className={styles['pencil']}
      icon={<Pencil />}
      aria-pressed={open}
      onClick={() => setOpen(!open)}
    />
  );
}

const fateIcons = { none: null, same: <Equal />, write: <ArrowRight />, bad: <CircleX /> } satisfies Record<
  FileFate['kind'],
  ReactNode
>;

function Fate({ text, kind }: FileFate) {
  return (
    <span className={classNames(styles['what'], kind === 'bad' && styles['bad'])}>
      {fateIcons[kind]}
      <span>{text}</span>
    </span>
  );
}

interface FileRowProps {
  readonly file: ListedFile;
  readonly locked: boolean;
  readonly fate: ReactNode;
  readonly isWrong: boolean;
}

function FileRow({ file, locked, fate, isWrong }: FileRowProps) {
  const { id, name, what, end } = file;
  const { addresses } = pageFamily();
  return (
    <tr className={classNames(isWrong && styles['wrong'])}>
      <td className={styles['file']}>
        <span className={styles['name']}>
          <FileCode2 />
          <b>
            <FileName name={name} />
          </b>
          <small>{what}</small>
        </span>
      </td>
      {addresses.hidden ? null : (
        <td className={styles['offset']}>
          <Offset file={file} locked={locked} />
        </td>
      )}
      <td className={classNames('number', styles['size'])}>
        <WrittenSize file={file} />
      </td>
      {addresses.hidden ? null : <td className={styles['end']}>{end === null ? '' : placeText(end - 1, addresses)}</td>}
      <td className={styles['fate']}>{fate}</td>
      <td className={styles['last']}>
        {locked ? null : (
          <IconButton
            label={`Remove ${name}`}
            variant="quiet"
            size="sm"
            icon={<X />}
            onClick={() => void removeFile(id)}
          />
        )}
      </td>
    </tr>
  );
}

/** The size of a file; of one that spares settings of the board, the part that is written: `835.4 of 851.4 KB, settings kept`. */
function WrittenSize({ file: { name, size } }: Pick<FileRowProps, 'file'>) {
  const written = useFlash(({ plan }) => {
    const own = plan?.regions.filter(({ file }) => file === name) ?? [];
    return own.length === 0 ? null : own.reduce((sum, { length }) => sum + length, 0);
  });
  if (written === null || written >= size) {
    return sizeText(size);
  }
  const [whole, part] = [sizeText(size), sizeText(written)];
  const [unit, partUnit] = [whole, part].map((text) => text.slice(text.indexOf(' ')));
  return (
    <>
      {unit === partUnit ? part.slice(0, part.indexOf(' ')) : part} of {whole}
      <small className={styles['kept']}>settings kept</small>
    </>
  );
}

/** The offset as text; a field while it is being changed, and for a file whose offset is unknown or invalid. */
function Offset({ file: { id, name, typed, places, offset }, locked }: Pick<FileRowProps, 'file' | 'locked'>) {
  const { open } = use(OffsetFieldsContext);
  const isTyped = useFlasher(({ typedOffsets }) => typedOffsets[id] !== undefined);
  const { word } = pageFamily().addresses;
  const faultId = `offset-fault-${id}`;
  const isField = !locked && places === null && (open || isTyped || offset === null || typed.fault !== null);
  return (
    <>
      {isField ? (
        <span className={styles['field']}>
          <TextInput
            mono
            value={typed.text}
            aria-label={`${capital(word)} of ${name}`}
            autoComplete="off"
            spellCheck={false}
            data-offset=""
            aria-invalid={typed.fault === null ? undefined : true}
            aria-describedby={typed.fault === null ? undefined : faultId}
            onChange={({ currentTarget }) => typeOffset(id, currentTarget.value)}
          />
          <Areas id={id} name={name} />
        </span>
      ) : (
        <span className={styles['mono']}>{typed.text}</span>
      )}
      <div id={faultId} role="alert" className={styles['fault']}>
        {typed.fault === null ? null : <FieldError>{typed.fault}</FieldError>}
      </div>
    </>
  );
}

/** Offers the areas of the board for a file, so that its address need not be known. Draws nothing without them. */
function Areas({ id, name }: Pick<ListedFile, 'id' | 'name'>) {
  const areas = useFlash(({ board }) => board?.areas ?? noAreas);
  return areas.length === 0 ? null : (
    <Menu
      align="end"
      items={areas.map((area) => ({
        label: `${area.name}, ${addressText(area.offset)}, ${memoryText(area.length)}${area.isEmpty ? ', empty' : ''}`,
        onSelect: () => typeOffset(id, addressText(area.offset)),
      }))}
      trigger={(props) => (
        <IconButton {...props} size="sm" label={`Areas of the board for ${name}`} icon={<ChevronDown />} />
      )}
    />
  );
}

const noAreas: readonly NamedArea[] = [];

interface ChangeRowProps {
  readonly planned: PlannedChange;
  readonly locked: boolean;
  readonly settled: boolean;
}

/** A change to what the board holds: it comes from a view of *On the board*, and not from a file. */
function ChangeRow({ planned: { change, what, entries, note, erased }, locked, settled }: ChangeRowProps) {
  const port = useFlasher(({ selected }) => selected);
  const { addresses } = pageFamily();
  const bytes = change.writes.reduce((sum, { bytes: written }) => sum + written.length, 0);
  return (
    <tr>
      <td className={styles['file']}>
        <span className={styles['name']}>
          <i className={styles['changed']} aria-hidden="true" />
          <b>{change.name}</b>
          <small>{entries.length === 0 ? what : entries.join(' · ')}</small>
        </span>
      </td>
      {addresses.hidden ? null : (
        <td className={styles['offset']}>
          <span className={styles['mono']}>{addressText(change.range.offset)}</span>
        </td>
      )}
      <td className={classNames('number', styles['size'])}>{bytes === 0 ? '' : sizeText(bytes)}</td>
      {addresses.hidden ? null : (
        <td className={styles['end']}>{addressText(change.range.offset + change.range.length - 1)}</td>
      )}
      <td className={styles['fate']}>
        <span className={styles['what']}>
          <ArrowRight />
          <span>{settled ? (erased === undefined ? 'Written' : 'Erased') : (note ?? what)}</span>
        </span>
      </td>
      <td className={styles['last']}>
        {locked ? null : (
          <IconButton
            label={`Undo ${change.name}`}
            variant="quiet"
            size="sm"
            icon={<Undo2 />}
            onClick={() => setChange(port, change.name, null)}
          />
        )}
      </td>
    </tr>
  );
}
