/** Shows a loaded release: its description on the left, the flash card on the right. */
import type { DeviceFamily } from '@wirebench/contract/constants';
import { anyOf, chipsOf } from '@wirebench/flasher/release/builds';
import { Calendar, CalendarClock, Cpu, UserRound, Zap } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { dayText, exactText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Markdown } from '../../shared/ui/markdown.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import { families } from '../../workbench/families.ts';
import { buildsOf, type ShownBuild } from '../../workbench/release-builds.ts';
import { BoardList } from './board-list.tsx';
import { familyWords } from './family-words.ts';
import { FlashCard } from './flash-card.tsx';
import { ForPublishers } from './for-publishers.tsx';
import type { Release } from './load-release.ts';
import { OwnerNotice } from './owner-notice.tsx';
import styles from './release-view.module.css';
import { WrittenFiles } from './written-files.tsx';

const ReportButton = optionalPart(async () => (await import('../../workbench/report/report-button.tsx')).ReportButton);

export function ReleaseView({ release }: { readonly release: Release }) {
  const { type, project, versions, owned, shareEndsAt } = release;
  const [chosen, setChosen] = useState<string | null>(null);
  const version = versions.find(({ _id }) => _id === chosen) ?? versions[0] ?? null;
  const title = type === 'version' && version !== null ? `${project.name} ${version.version}` : project.name;
  useEffect(() => {
    // Same title as in the server's preview of public items. The title of a private item is known only after loading.
    document.title = `${title}: Wirebench`;
  }, [title]);
  const builds = version === null ? [] : buildsOf(version, project);
  const isPublic = (owned?.isPublic ?? true) && (version?.isPublic ?? true);
  const isExperimental = families[project.deviceFamily].experimental;
  return (
    <div className={`page-width ${styles['release']}`}>
      <div className={styles['intro']}>
        <span className="silk">Firmware release</span>
        <h1>{project.name}</h1>
        <div className={styles['facts']}>
          <Fact icon={<UserRound />}>Published by {project.publisher}</Fact>
          <Fact icon={<Cpu />}>{chipsOf(builds.length === 0 ? [{ ...project, guards: {} }] : builds).join(', ')}</Fact>
          {version === null ? null : (
            <>
              <Fact icon={<Calendar />}>{dayText(version.createdAt)}</Fact>
              <Fact icon={<Zap />}>{version.writeCount === 1 ? '1 flash' : `${version.writeCount} flashes`}</Fact>
            </>
          )}
          {shareEndsAt === undefined ? null : (
            <Fact icon={<CalendarClock />}>
              {Date.parse(shareEndsAt) <= Date.now() ? 'Link expired' : 'Link expires'} {exactText(shareEndsAt)}
            </Fact>
          )}
          {isExperimental ? <Badge tone="warning">Experimental</Badge> : null}
          {project.demo ? <Badge tone="info">Demo</Badge> : null}
          {version?.channel === 'beta' ? <Badge tone="warning">Beta</Badge> : null}
        </div>
        {owned === null ? null : <OwnerNotice release={release} version={version} />}
        {project.demo ? (
          <Notice level="info" title="This release is for demo devices.">
            On a real chip, the flasher refuses it before anything is erased.
          </Notice>
        ) : null}
        {project.description === '' ? null : <p className={styles['lead']}>{project.description}</p>}
      </div>
      <aside className={styles['side']}>
        <FlashCard release={release} version={version} onChoose={setChosen} />
        <Notice level="info">Only flash firmware from people you trust. Wirebench does not review releases.</Notice>
        {owned === null && !project.demo ? (
          <Suspense>
            <ReportButton type={type} id={release.shareId} name={title} label="Report this release" />
          </Suspense>
        ) : null}
      </aside>
      {version === null ? null : (
        <div className={styles['what']}>
          <BoardList builds={builds} />
          <section aria-labelledby="notes">
            <h2 id="notes">What is new in {version.version}</h2>
            <Markdown text={version.description} />
          </section>
          <WrittenFiles release={release} version={version} builds={builds} />
          <HowItGoes family={project.deviceFamily} builds={builds} />
        </div>
      )}
      {isPublic ? (
        <div className={styles['share']}>
          <ForPublishers
            release={release}
            installable={builds.some(({ deviceFamily }) => familyWords[deviceFamily].installable)}
          />
        </div>
      ) : null}
    </div>
  );
}

function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <span className="num">
      {icon}
      {children}
    </span>
  );
}

interface HowItGoesProps {
  readonly family: DeviceFamily;
  readonly builds: readonly ShownBuild[];
}

/** Explains flashing to beginners. */
function HowItGoes({ family, builds }: HowItGoesProps) {
  const { pick, write } = familyWords[family];
  const chips = anyOf(chipsOf(builds));
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
