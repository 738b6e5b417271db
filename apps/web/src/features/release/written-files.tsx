/** Shows the files of a flash: offset, size and the hashes that verify them. */

import { familyOf, familyTraits } from '@wirebench/boards';
import { firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { Copy, Download, X } from 'lucide-react';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { send } from '../../shared/api/api.ts';
import { operationFailure } from '../../shared/api/api-error.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { readBody } from '../../shared/files/read-body.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { addressText } from '../../shared/format/hex.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { FileName } from '../../shared/ui/file-name.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import { Select } from '../../shared/ui/select.tsx';
import { toast } from '../../shared/ui/toast.ts';
import type { ReleaseFile, ReleaseVersion, ServerRelease } from '../../workbench/release/release.ts';
import styles from './written-files.module.css';

/** Loaded after the flash button. Without it, the table still contains all information. */
const MemoryMap = optionalPart(async () => (await import('../../workbench/memory-map.tsx')).MemoryMap);

export interface WrittenFilesProps {
  readonly release: ServerRelease;
  readonly version: ReleaseVersion;
}

/** The files of one build. With several builds, the visitor chooses the board. */
export function WrittenFiles({ release, version }: WrittenFilesProps) {
  const { builds } = version;
  const choice = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const build = builds.find(({ id }) => id === chosen) ?? builds[0];
  if (build === undefined) {
    return null;
  }
  // Data beside flash, such as EEPROM, is not on its map.
  const family = familyOf(build.deviceModel) ?? release.deviceFamily;
  const { flashStart, besideFlash = Number.POSITIVE_INFINITY } = familyTraits[family];
  const regions = build.files.map(({ name, offset, size }) => {
    return { label: name, start: offset, end: offset + (size ?? 0), state: 'planned' as const, done: 0 };
  });
  return (
    <div className={styles['section']}>
      {builds.length === 1 ? null : (
        <div className={styles['choice']}>
          <label htmlFor={choice} className="silk">
            Board
          </label>
          <Select id={choice} value={build.id} onChange={({ target }) => setChosen(target.value)}>
            {builds.map((each) => (
              <option key={each.id} value={each.id}>
                {buildName(each)}
              </option>
            ))}
          </Select>
        </div>
      )}
      <div className={styles['map']}>
        <Suspense>
          <MemoryMap
            regions={regions.filter(({ start }) => start < besideFlash)}
            areas={[]}
            flash={{ start: flashStart, size: null }}
          />
        </Suspense>
      </div>
      <div className={`card ${styles['frame']}`}>
        <table className={`table ${styles['files']}`}>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Offset</th>
              <th scope="col" className="number">
                Size
              </th>
              <th scope="col">
                <span className={styles['digits']}>SHA-256</span>
              </th>
              <th scope="col">
                <span className="visually-hidden">Download</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {build.files.map((file) => (
              <FileRow key={file.id} release={release} version={version} file={file} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Number of hex digits of a hash that suffice to distinguish two builds at a glance. */
const SHOWN_DIGITS = 12;

interface FileRowProps {
  readonly release: ServerRelease;
  readonly version: ReleaseVersion;
  readonly file: ReleaseFile;
}

function FileRow({ release, version, file }: FileRowProps) {
  const { name, offset, size, sha256 } = file;
  return (
    <tr>
      <th scope="row" className="mono">
        <FileName name={name} />
      </th>
      <td className="mono">{addressText(offset)}</td>
      <td className="number">{sizeText(size ?? 0)}</td>
      <td className="mono" title={sha256 ?? undefined}>
        <span className={styles['hash']}>
          <span className={styles['digits']}>{sha256?.slice(0, SHOWN_DIGITS)}…</span>
          <IconButton
            variant="quiet"
            size="sm"
            label={`Copy the SHA-256 of ${name}`}
            icon={<Copy />}
            onClick={() => void copyText(sha256 ?? '', 'SHA-256 copied')}
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
function FileDownload({ release, version, file: { id, name, size } }: FileRowProps) {
  const { apiUrl, owned } = release;
  const [received, setReceived] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const label = `Download ${name}`;
  if (version.shareId !== null && owned?.isPublic !== false) {
    return (
      <a
        href={`${apiUrl}${sharedFirmwarePaths.file('version', version.shareId, id)}`}
        download={name}
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
      const answer = await send(firmwarePaths.versionFile(version.id, id), { signal });
      saveFile(await readBody(answer, setReceived), name);
    } catch (error) {
      if (signal.aborted) {
        toast(`Download of ${name} cancelled`, { level: 'info' });
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
        <span
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={size ?? undefined}
          aria-valuenow={received}
        >
          {Math.floor((received / (size ?? received)) * 100)} %
        </span>
        <IconButton
          variant="quiet"
          size="sm"
          label={`Cancel the download of ${name}`}
          icon={<X />}
          onClick={() => running.current?.abort()}
        />
      </span>
    );
  }
  return <IconButton variant="quiet" size="sm" label={label} icon={<Download />} onClick={() => void save()} />;
}
