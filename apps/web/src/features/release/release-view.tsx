/** Shows a loaded release: its description on the left, the flash card on the right. */
import { Calendar, CalendarClock, Cpu, UserRound, Zap } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { dayText, exactText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { families } from '../../workbench/families.ts';
import { buildsOf, chipNamesOf } from '../../workbench/release-builds.ts';
import { FlashCard } from './flash-card.tsx';
import type { Release } from './load-release.ts';
import { OwnerNotice } from './owner-notice.tsx';
import styles from './release-view.module.css';

/** Loaded after the flash button, which works without it. */
const loadDetails = async () => (await import('./release-details.tsx')).ReleaseDetails;
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
  const [isMissing, setMissing] = useState(false);
  const Details = useLoaded(!isMissing, loadDetails, () => setMissing(true));
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
          <Fact icon={<Cpu />}>{chipNamesOf(builds.length === 0 ? [project] : builds).join(', ')}</Fact>
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
      {isMissing ? (
        <div className={styles['what']}>
          <Notice
            level="error"
            title="The notes and files of this release could not be loaded."
            action={
              <Button size="sm" onClick={() => setMissing(false)}>
                Try again
              </Button>
            }
          />
        </div>
      ) : Details === null ? null : (
        <Details release={release} version={version} builds={builds} isPublic={isPublic} />
      )}
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
