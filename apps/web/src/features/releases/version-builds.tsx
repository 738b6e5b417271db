import type { Project, Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { buildsOf, chipNamesOf } from '../../workbench/release-builds.ts';
import { FileChips } from './file-chips.tsx';
import { countText } from './model/count-text.ts';
import styles from './version-builds.module.css';

export interface VersionBuildsProps {
  readonly project: Project;
  readonly version: Version;
}

/** The builds of a version in one line. Opened, the boards and files of each. */
export function VersionBuilds({ project, version }: VersionBuildsProps) {
  const builds = buildsOf(version, project);
  return (
    <details className={styles['builds']}>
      <summary>
        {builds.length} {builds.length === 1 ? 'build' : 'builds'}: {chipNamesOf(builds).join(', ')}
      </summary>
      <ul>
        {builds.map((build) => (
          <li key={build.id}>
            <p>
              <b>{buildName(build)}</b> <span className="small">{countsText(version, build.id)}</span>
            </p>
            <FileChips files={build.files} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** `412 flashes`, or `412 flashes, 2 crashes`. */
function countsText({ builds = [] }: Version, id: string): string {
  const { writeCount = 0, crashes = 0 } = builds.find(({ _id }) => _id === id) ?? {};
  const flashes = `${countText(writeCount)} ${writeCount === 1 ? 'flash' : 'flashes'}`;
  return crashes === 0 ? flashes : `${flashes}, ${countText(crashes)} ${crashes === 1 ? 'crash' : 'crashes'}`;
}
