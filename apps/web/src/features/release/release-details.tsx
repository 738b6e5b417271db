/** The release below its head: boards, notes, files and steps, and the codes for its publisher. */
import type { Version } from '@wirebench/contract';
import type { DeviceFamily } from '@wirebench/contract/constants';
import { anyOf } from '@wirebench/flasher/release/builds';
import { Markdown } from '../../shared/ui/markdown.tsx';
import { chipNamesOf, type ShownBuild } from '../../workbench/release-builds.ts';
import { BoardList } from './board-list.tsx';
import { familyWords } from './family-words.ts';
import { ForPublishers } from './for-publishers.tsx';
import type { Release } from './load-release.ts';
import styles from './release-view.module.css';
import { WrittenFiles } from './written-files.tsx';

export interface ReleaseDetailsProps {
  readonly release: Release;
  readonly version: Version | null;
  readonly builds: readonly ShownBuild[];
  /** True: everyone can see the release, so that there is a link to hand on. */
  readonly isPublic: boolean;
}

export function ReleaseDetails({ release, version, builds, isPublic }: ReleaseDetailsProps) {
  const installable = builds.some(({ deviceFamily }) => familyWords[deviceFamily].installable);
  return (
    <>
      {version === null ? null : (
        <div className={styles['what']}>
          <BoardList builds={builds} />
          <section aria-labelledby="notes">
            <h2 id="notes">What is new in {version.version}</h2>
            <Markdown text={version.description} />
          </section>
          <WrittenFiles release={release} version={version} builds={builds} />
          <HowItGoes family={release.project.deviceFamily} builds={builds} />
        </div>
      )}
      {isPublic ? (
        <div className={styles['share']}>
          <ForPublishers release={release} installable={installable} />
        </div>
      ) : null}
    </>
  );
}

interface HowItGoesProps {
  readonly family: DeviceFamily;
  readonly builds: readonly ShownBuild[];
}

/** Explains flashing to beginners. */
function HowItGoes({ family, builds }: HowItGoesProps) {
  const { pick, write } = familyWords[family];
  const chips = anyOf(chipNamesOf(builds));
  const refusal = `The flasher refuses any board other than an ${chips} before it writes a byte.`;
  const steps = [
    ['Pick the port', pick],
    ['Chip check', builds.length === 1 ? refusal : `The flasher picks the files for your board. ${refusal}`],
    ['Write and verify', write],
  ];
  return (
    <section aria-labelledby="how">
      <h2 id="how">What happens when you flash</h2>
      <ol className={styles['steps']}>
        {steps.map(([name, text]) => (
          <li key={name}>
            <b>{name}</b>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
