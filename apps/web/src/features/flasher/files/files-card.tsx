/** Card of the files: chosen or dropped, recognised and placed. During a flash it shows the progress of each. */
import { FileCode2, X } from 'lucide-react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { addressText } from '../../../shared/format/hex.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { FileName } from '../../../shared/ui/file-name.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { Card } from '../card.tsx';
import { ReleaseLinkButton } from '../release/release-link-button.tsx';
import { isBusy } from '../state/flash-state.ts';
import { removeAllFiles, removeFile, typeOffset } from '../store/file-actions.ts';
import { maxFiles, pageFamily, useFlash, useFlasher, useWholeFlash } from '../store/flasher-store.ts';
import tableStyles from '../table.module.css';
import { fileProgress } from '../write/write-view.ts';
import { DropRefusal, DropZone } from './drop-zone.tsx';
import { FileStatus } from './file-status.tsx';
import styles from './files-card.module.css';
import { leftOutGroups } from './left-out-text.ts';
import { type ListedFile, writeList } from './write-list.ts';

export function FilesCard() {
  const { files, leftOut, conflicts } = useFlasher(({ chosen }) => chosen);
  const typedOffsets = useFlasher((state) => state.typedOffsets);
  const release = useFlasher((state) => state.release);
  const reading = useFlasher((state) => state.reading);
  const phase = useFlash((flash) => flash.phase);
  const { addresses } = pageFamily();
  const list = writeList(files, typedOffsets, addresses);
  const locked = isBusy({ phase }) && phase !== 'planning' && phase !== 'connecting';
  const settled = (locked && phase !== 'working') || phase === 'done';
  if (locked && files.length === 0 && leftOut.length === 0) {
    // Nothing on the card can be used now, and "0 of 4" is meaningless during a backup.
    return <DropRefusal />;
  }
  return (
    <Card
      title="Files"
      flush
      facts={
        <>
          <span className={styles['count']}>
            {files.length} of {maxFiles}
          </span>
          {release === null ? null : (
            <Badge>
              From release {release.name} {release.chosen.version}
            </Badge>
          )}
        </>
      }
      actions={
        locked ? undefined : (
          <>
            {pageFamily().releases === false ? null : <ReleaseLinkButton />}
            {list.length === 0 ? null : (
              <Button variant="quiet" size="sm" onClick={() => void removeAllFiles()}>
                Remove all
              </Button>
            )}
          </>
        )
      }
    >
      {list.length === 0 ? null : (
        <table className={classNames('table', tableStyles['table'], styles['files'], settled && styles['settled'])}>
          <thead>
            <tr>
              <th scope="col">File</th>
              {addresses.hidden ? null : <th scope="col">{capital(addresses.word)}</th>}
              <th scope="col" className={classNames('number', tableStyles['wide'])}>
                Size
              </th>
              {addresses.hidden ? null : (
                <th scope="col" className={styles['end']}>
                  Ends at
                </th>
              )}
              {settled ? <th scope="col">Status</th> : null}
              {locked ? null : (
                <th scope="col">
                  <span className="visually-hidden">Remove</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {list.map((file) => (
              <FileRow key={file.id} file={file} locked={locked} settled={settled} />
            ))}
          </tbody>
        </table>
      )}
      {conflicts.map(({ code, files: names, what, remedy }) => (
        <div key={`${code} ${names.join()}`} className={styles['notice']}>
          <Notice level="warning" title={what}>
            {remedy}
          </Notice>
        </div>
      ))}
      {leftOut.length === 0 ? null : (
        <div className={styles['notice']}>
          <Notice level={list.length === 0 ? 'warning' : 'info'} title="Left out:">
            <ul className={styles['leftOut']}>
              {leftOutGroups(leftOut).map(({ names, why }) => (
                <li key={why}>
                  <b>{names}</b> {why}
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      {locked ? <DropRefusal /> : <DropZone reading={reading} slim={list.length > 0} />}
    </Card>
  );
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

interface FileRowProps {
  readonly file: ListedFile;
  /** True: the file is being written, so its place is fixed. */
  readonly locked: boolean;
  /** True: the file is being written or was written, so its status is shown. */
  readonly settled: boolean;
}

function FileRow({ file, locked, settled }: FileRowProps) {
  const { id, name, what, size, places, typed, end } = file;
  const { addresses } = pageFamily();
  const faultId = `offset-fault-${id}`;
  return (
    <tr>
      <td>
        <span className={styles['name']}>
          <FileCode2 />
          <span>
            <b>
              <FileName name={name} />
            </b>
            <small>{what}</small>
          </span>
        </span>
      </td>
      {addresses.hidden ? null : (
        <td className={styles['offset']}>
          {locked || places !== null ? (
            <span className={styles['mono']}>{typed.text}</span>
          ) : (
            <TextInput
              mono
              value={typed.text}
              aria-label={`${capital(addresses.word)} of ${name}`}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={typed.fault === null ? undefined : true}
              aria-describedby={typed.fault === null ? undefined : faultId}
              onChange={({ currentTarget }) => typeOffset(id, currentTarget.value)}
            />
          )}
          <div id={faultId} role="alert" className={styles['fault']}>
            {typed.fault === null ? null : <FieldError>{typed.fault}</FieldError>}
          </div>
        </td>
      )}
      <td className={classNames('number', tableStyles['wide'])}>{sizeText(size)}</td>
      {addresses.hidden ? null : (
        <td className={classNames(styles['end'], styles['mono'])}>{end === null ? '' : addressText(end - 1)}</td>
      )}
      {settled ? (
        <td className={styles['state']}>
          <Status name={name} />
        </td>
      ) : null}
      {locked ? null : (
        <td className={styles['last']}>
          <IconButton
            label={`Remove ${name}`}
            variant="quiet"
            size="sm"
            icon={<X />}
            onClick={() => void removeFile(id)}
          />
        </td>
      )}
    </tr>
  );
}

function Status({ name }: { readonly name: string }) {
  const flash = useWholeFlash();
  return <FileStatus name={name} progress={fileProgress(name, flash)} />;
}
