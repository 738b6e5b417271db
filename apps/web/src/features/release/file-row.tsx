import { type FirmwareFile, firmwarePaths, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { Copy, Download, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { send } from '../../shared/api/api.ts';
import { operationFailure } from '../../shared/api/api-error.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { readBody } from '../../shared/files/read-body.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { offsetText } from '../../shared/format/hex.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { FileName } from '../../shared/ui/file-name.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { toast } from '../../shared/ui/toast.ts';
import type { Release } from './load-release.ts';
import styles from './written-files.module.css';

/** Number of hex digits of a hash that suffice to distinguish two builds at a glance. */
const SHOWN_DIGITS = 12;

export interface FileRowProps {
  readonly release: Release;
  readonly version: Version;
  readonly file: FirmwareFile;
}

export function FileRow({ release, version, file }: FileRowProps) {
  const { fileName, offset, size, sha256 } = file;
  return (
    <tr>
      <th scope="row" className="mono">
        <FileName name={fileName} />
      </th>
      <td className="mono">{offsetText(offset)}</td>
      <td className="number">{sizeText(size)}</td>
      <td className="mono" title={sha256}>
        <span className={styles['hash']}>
          <span className={styles['digits']}>{sha256.slice(0, SHOWN_DIGITS)}…</span>
          <IconButton
            variant="quiet"
            size="sm"
            label={`Copy the SHA-256 of ${fileName}`}
            icon={<Copy />}
            onClick={() => void copyText(sha256, 'SHA-256 copied')}
          />
        </span>
      </td>
      <td className={styles['download']}>
        <FileDownload release={release} version={version} file={file} />
      </td>
    </tr>
  );
}

/** A plain link for a public file. A private file needs the owner's token, which a link does not send. */
function FileDownload({ release, version, file: { _id, fileName, size } }: FileRowProps) {
  const { apiUrl, owned } = release;
  const [received, setReceived] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const label = `Download ${fileName}`;
  if (owned === null || (owned.isPublic && version.isPublic)) {
    return (
      <a
        href={`${apiUrl}${sharedFirmwarePaths.file('version', version.shareId, _id)}`}
        download={fileName}
        aria-label={label}
        title={label}
        className={buttonClass({ variant: 'quiet', size: 'sm', square: true })}
      >
        <Download />
      </a>
    );
  }
  const save = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setReceived(0);
    try {
      const answer = await send(firmwarePaths.versionFile(version._id, _id), { signal });
      saveFile(await readBody(answer, setReceived), fileName);
    } catch (error) {
      if (signal.aborted) {
        toast(`Download of ${fileName} cancelled`, { level: 'info' });
      } else {
        toast(operationFailure('Download', error), { level: 'error' });
      }
    } finally {
      setReceived(null);
    }
  };
  if (received !== null) {
    return (
      <span className={styles['fetching']}>
        <span role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={size} aria-valuenow={received}>
          {Math.floor((received / size) * 100)} %
        </span>
        <IconButton
          variant="quiet"
          size="sm"
          label={`Cancel the download of ${fileName}`}
          icon={<X />}
          onClick={() => running.current?.abort()}
        />
      </span>
    );
  }
  return <IconButton variant="quiet" size="sm" label={label} icon={<Download />} onClick={() => void save()} />;
}
