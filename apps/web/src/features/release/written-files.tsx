/** Shows the files of a flash: offset, size and the hashes that verify them. */
import { parseOffset, type Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { Suspense, useId, useState } from 'react';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import { Select } from '../../shared/ui/select.tsx';
import type { ShownBuild } from '../../workbench/release-builds.ts';
import { FileRow } from './file-row.tsx';
import type { Release } from './load-release.ts';
import styles from './written-files.module.css';

/** Address of EEPROM in a file for an AVR, which is not on the map of its flash. */
const AVR_EEPROM = 0x81_0000;

/** Loaded after the flash button. Without it, the table still contains all information. */
const MemoryMap = optionalPart(async () => (await import('../../workbench/memory-map.tsx')).MemoryMap);

export interface WrittenFilesProps {
  readonly release: Release;
  readonly version: Version;
  readonly builds: readonly ShownBuild[];
}

/** The files of one build. With several builds, the visitor chooses the board. */
export function WrittenFiles({ release, version, builds }: WrittenFilesProps) {
  const choice = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const build = builds.find(({ id }) => id === chosen) ?? builds[0];
  if (build === undefined) {
    return null;
  }
  const flashStart = build.deviceFamily === 'stm' ? 0x0800_0000 : 0;
  const regions = build.files.map(({ fileName, offset, size }) => {
    const start = parseOffset(offset) ?? 0;
    return { label: fileName, start, end: start + size, state: 'planned' as const, done: 0 };
  });
  return (
    <section className={styles['section']} aria-labelledby="files">
      <h2 id="files">What gets written</h2>
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
            regions={regions.filter(({ start }) => build.deviceFamily !== 'avr' || start < AVR_EEPROM)}
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
              <FileRow key={file._id} release={release} version={version} file={file} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
