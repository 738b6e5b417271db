import { buildsOf, type FirmwareFile, type Project, parseOffset, type Version } from '@wirebench/contract';
import { compareReleases, type FileChange as ReleaseChange } from '@wirebench/flasher/compare';
import { buildName } from '@wirebench/flasher/release/builds';
import { useState } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { offsetText } from '../../../shared/format/hex.ts';
import { Badge, type BadgeProps } from '../../../shared/ui/badge.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import styles from './dialog-table.module.css';

export interface CompareDialogProps {
  readonly project: Project;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Compares the files of two versions. Files are matched by offset first, because names contain versions. */

type FileChange = ReleaseChange['kind'];

interface ComparedFile {
  /** Null if the older version lacks it. */
  readonly before: FirmwareFile | null;
  /** Null if the newer version lacks it. */
  readonly after: FirmwareFile | null;
  /** `changed`: different bytes. `moved` and `renamed`: the same bytes at another offset or under another name. */
  readonly change: FileChange;
}

/** Returns one entry for each file of either version, in address order. */
export function compareFiles(before: readonly FirmwareFile[], after: readonly FirmwareFile[]): ComparedFile[] {
  return compareReleases(before.map(addressed), after.map(addressed)).map((change) => ({
    before: change.before?.file ?? null,
    after: change.after?.file ?? null,
    change: change.kind,
  }));
}

function addressed(file: FirmwareFile) {
  const { fileName, size, sha256, offset } = file;
  return { file, fileName, size, sha256, offset: parseOffset(offset) ?? 0 };
}

const changeText = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  moved: 'Moved',
  renamed: 'Renamed',
  same: 'Same',
} satisfies Record<FileChange, string>;

const changeTone = {
  added: 'success',
  removed: 'danger',
  changed: 'accent',
  moved: 'info',
  renamed: 'info',
  same: 'neutral',
} satisfies Record<FileChange, BadgeProps['tone']>;

/** Formats a growth as ` (+1.2 KB)`, a reduction as ` (−96 B)`. Empty without a difference or a value to compare. */
export function sizeChange(before: number | null, after: number | null): string {
  if (before === null || after === null || before === after) {
    return '';
  }
  return ` (${after > before ? '+' : '−'}${sizeText(Math.abs(after - before))})`;
}

/** Compares the files of two versions side by side. Starts with the two newest. */
export function CompareDialog({ project, open, onClose }: CompareDialogProps) {
  const { versions } = project;
  const [ids, setIds] = useState<readonly [before: string, after: string]>(['', '']);
  const before = versions.find(({ _id }) => _id === ids[0]) ?? versions[1];
  const after = versions.find(({ _id }) => _id === ids[1]) ?? versions[0];
  const [board, setBoard] = useState('');
  if (before === undefined || after === undefined) {
    return null;
  }
  const boards = [...new Set([after, before].flatMap((version) => buildsOf(version, project).map(buildName)))];
  const chosen = boards.includes(board) ? board : boards[0];
  const filesOf = (version: Version) =>
    buildsOf(version, project).find((build) => buildName(build) === chosen)?.files ?? [];
  return (
    <Dialog open={open} onClose={onClose} title={`Compare versions of ${project.name}`} size="lg">
      <div className={styles['pair']}>
        <VersionChoice label="From" versions={versions} value={before} onChange={(id) => setIds([id, after._id])} />
        <VersionChoice label="To" versions={versions} value={after} onChange={(id) => setIds([before._id, id])} />
        {boards.length < 2 ? null : (
          <Field label="Build">
            {(ids) => (
              <Select {...ids} value={chosen} onChange={(event) => setBoard(event.currentTarget.value)}>
                {boards.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      <div className={styles['scroll']}>
        <table className={`table ${styles['table']}`}>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Change</th>
              <th scope="col">Offset</th>
              <th scope="col" className="number">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {compareFiles(filesOf(before), filesOf(after)).map(({ change, ...file }) => (
              <tr key={`${file.before?._id} ${file.after?._id}`}>
                <th scope="row" className="mono">
                  {fromTo(file, ({ fileName }) => fileName)}
                </th>
                <td>
                  {changesOf(file, change).map((one) => (
                    <Badge key={one} tone={changeTone[one]}>
                      {changeText[one]}
                    </Badge>
                  ))}
                </td>
                <td className="mono">{fromTo(file, ({ offset }) => offsetText(offset))}</td>
                <td className="number">
                  {fromTo(file, ({ size }) => sizeText(size))}
                  {sizeChange(file.before?.size ?? null, file.after?.size ?? null)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}

interface Sides {
  readonly before: FirmwareFile | null;
  readonly after: FirmwareFile | null;
}

/** Returns the change, and a second one for a changed or moved file with another name. */
function changesOf({ before, after }: Sides, change: FileChange): readonly FileChange[] {
  const isRenamed = before !== null && after !== null && before.fileName !== after.fileName;
  return isRenamed && change !== 'renamed' ? [change, 'renamed'] : [change];
}

/** Returns `0x10000`, or `0x10000 → 0x20000` if the sides differ. */
function fromTo({ before, after }: Sides, text: (file: FirmwareFile) => string): string {
  const texts = [before, after].flatMap((file) => (file === null ? [] : [text(file)]));
  return [...new Set(texts)].join(' → ');
}

interface VersionChoiceProps {
  readonly label: string;
  readonly versions: readonly Version[];
  readonly value: Version;
  readonly onChange: (id: string) => void;
}

function VersionChoice({ label, versions, value, onChange }: VersionChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} mono value={value._id} onChange={(event) => onChange(event.currentTarget.value)}>
          {versions.map(({ _id, version }) => (
            <option key={_id} value={_id}>
              {version}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
