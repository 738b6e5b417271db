/**
 * First screen of a release: its picture, its name, one sentence, and what stands below them. The release page and the
 * small page in the release manager are made of it.
 */

import { type FamilyId, families } from '@wirebench/boards';
import type { ProjectSummary } from '@wirebench/contract';
import { type ReactNode, Suspense } from 'react';
import { dayText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import callStyles from './install-call.module.css';
import type { ReleaseVersion } from './release.ts';
import styles from './release-hero.module.css';
import type { PictureSource } from './release-picture.tsx';

/** Loaded after the button, which works without it. */
const ReleasePicture = optionalPart(async () => (await import('./release-picture.tsx')).ReleasePicture);

export interface ReleaseHeroProps {
  readonly project: Omit<ProjectSummary, '_id' | 'createdAt' | 'updatedAt'>;
  /** Null: nothing can be installed yet. */
  readonly version:
    | (Pick<ReleaseVersion, 'createdAt' | 'writeCount'> & { readonly channel?: 'beta' | undefined })
    | null;
  readonly pictureSource: PictureSource;
  /** True: a page without a version is drawn as it will be with one. */
  readonly isPreview?: boolean;
  /** Number of the version, or the choice of one. */
  readonly choice: ReactNode;
  /** Further facts beside publisher and day. */
  readonly facts?: ReactNode;
  /** The button, with what has to be known before it is pressed. */
  readonly children: ReactNode;
}

export function ReleaseHero({
  project,
  version,
  isPreview = false,
  pictureSource,
  choice,
  facts,
  children,
}: ReleaseHeroProps) {
  const { name, publisher, demo, deviceFamily } = project;
  return (
    <div className={styles['frame']}>
      <div className={styles['hero']}>
        <div className={`card ${styles['picture']}`}>
          <Suspense>
            <ReleasePicture picture={project.picture} source={pictureSource} device={project} />
          </Suspense>
        </div>
        <div className={styles['say']}>
          <h1>{name}</h1>
          <p className={styles['lead']}>{leadOf(project)}</p>
          <div className={styles['meta']}>
            {choice}
            <span>by {publisher}</span>
            {version?.createdAt ? <span>since {dayText(version.createdAt)}</span> : null}
            {version === null || demo ? null : <span>{flashesText(version.writeCount)}</span>}
            {facts}
            {families[deviceFamily].experimental ? <Badge tone="warning">Experimental</Badge> : null}
            {demo ? <Badge tone="info">Demo</Badge> : null}
            {version?.channel === 'beta' ? <Badge tone="warning">Beta</Badge> : null}
          </div>
          {children}
          {version === null && !isPreview ? (
            <div className={`stack ${styles['none']}`}>
              <h2>No version published yet</h2>
              <p>
                {publisher} has shared the project, but no version of it yet. The same link will show the first one.
              </p>
            </div>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** Returns how often a version was flashed, as far as boards were reported. */
function flashesText(count: number): string {
  return count === 0 ? 'not flashed yet' : count === 1 ? 'flashed once' : `flashed ${count.toLocaleString('en')} times`;
}

/** Returns the one sentence of a release: its own, the first line of its description, or the family of its boards. */
export function leadOf({
  sentence,
  description,
  deviceFamily,
}: Pick<ProjectSummary, 'sentence' | 'description' | 'deviceFamily'>): string {
  return sentence ?? (description.trim().split('\n', 1)[0] || `Firmware for ${families[deviceFamily].name} boards`);
}

interface InstallCallProps {
  readonly project: { readonly demo: boolean; readonly deviceFamily: FamilyId };
  /** Further sentences. */
  readonly notes?: ReactNode;
  /** The button. */
  readonly children: ReactNode;
}

/** The button of a release below what a visitor has to know before it is pressed. */
export function InstallCall({ project: { demo, deviceFamily }, notes, children }: InstallCallProps) {
  const { name, experimental } = families[deviceFamily];
  return (
    <div className={`stack apart ${callStyles['box']}`}>
      <p>
        {demo ? (
          <>
            <b>This release is for demo boards.</b> On a real chip, the flasher refuses it before anything is erased.
          </>
        ) : (
          <>
            <b>Plug your board in by USB.</b> You need not know which one it is: we find out, and say so before anything
            is written.
          </>
        )}
        {experimental ? ` Flashing ${name} boards is experimental: keep another way to flash yours.` : null}
      </p>
      {notes}
      {children}
    </div>
  );
}
