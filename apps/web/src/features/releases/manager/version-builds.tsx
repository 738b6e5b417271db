import { type Build, buildsOf, type FirmwareFile, type Project, type Version } from '@wirebench/contract';
import { buildName, chipsOf } from '@wirebench/flasher/release/builds';
import { sizeText } from '../../../shared/format/bytes.ts';
import { offsetText } from '../../../shared/format/hex.ts';
import { countText } from '../count-text.ts';
import styles from './version-builds.module.css';
import rowStyles from './version-row.module.css';

export interface VersionBuildsProps {
  readonly project: Project;
  readonly version: Version;
}

/** The files of a version that is its only build, else its builds in one line. Opened, the boards and files of each. */
export function VersionBuilds({ project, version }: VersionBuildsProps) {
  const builds = buildsOf(version, project);
  const itself = builds.find(({ _id }) => _id === version._id);
  if (itself !== undefined) {
    return <FileChips files={itself.files} />;
  }
  return (
    <details className={styles['builds']}>
      <summary>
        {builds.length} {builds.length === 1 ? 'build' : 'builds'}: {chipsOf(builds).join(', ')}
      </summary>
      <ul>
        {builds.map((build) => (
          <li key={build._id}>
            <p>
              <b>{buildName(build)}</b> <span className="small">{countsText(build)}</span>
            </p>
            <FileChips files={build.files} />
            {build.elf === undefined ? null : (
              <p className="small">
                ELF file: {build.elf.fileName}, {sizeText(build.elf.size)}
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Files in address order. */
function FileChips({ files }: { readonly files: readonly FirmwareFile[] }) {
  return (
    <ul className={rowStyles['files']} aria-label="Files">
      {files.map(({ _id, fileName, offset, size }) => (
        <li key={_id}>
          <b>{offsetText(offset)}</b> <span>{fileName}</span>{' '}
          <span className={rowStyles['size']}>{sizeText(size)}</span>
        </li>
      ))}
    </ul>
  );
}

/** `412 flashes`, or `412 flashes, 2 crashes`. */
function countsText({ writeCount, crashes = 0 }: Build): string {
  const flashes = `${countText(writeCount)} ${writeCount === 1 ? 'flash' : 'flashes'}`;
  return crashes === 0 ? flashes : `${flashes}, ${countText(crashes)} ${crashes === 1 ? 'crash' : 'crashes'}`;
}
