/** Shows the files of a flash: offset, size and the hashes that verify them. */
import { parseOffset, type Version } from '@wirebench/contract';
import { Suspense } from 'react';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import { families } from '../../workbench/families.ts';
import { FileRow } from './file-row.tsx';
import type { Release } from './load-release.ts';
import styles from './written-files.module.css';

/** Loaded after the flash button. Without it, the table still contains all information. */
const MemoryMap = optionalPart(async () => (await import('../../workbench/memory-map.tsx')).MemoryMap);

export interface WrittenFilesProps {
  readonly release: Release;
  readonly version: Version;
}

export function WrittenFiles({ release, version }: WrittenFilesProps) {
  const regions = version.files.map(({ fileName, offset, size }) => {
    const start = parseOffset(offset) ?? 0;
    return { label: fileName, start, end: start + size, state: 'planned' as const, done: 0 };
  });
  return (
    <section className={styles['section']} aria-labelledby="files">
      <h2 id="files">What gets written</h2>
      <div className={styles['map']}>
        <Suspense>
          <MemoryMap
            regions={regions}
            areas={[]}
            flash={{ start: families[release.project.deviceFamily].flashStart, size: null }}
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
            {version.files.map((file) => (
              <FileRow key={file._id} release={release} version={version} file={file} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
