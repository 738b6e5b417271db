/** Strip about the release of the files: its name, its versions, and failures while it loads. */
import { type FamilyId, families, familyWords } from '@wirebench/boards';
import { PackageOpen } from 'lucide-react';
import { useId } from 'react';
import { signIn } from '../../../shared/session/sign-in.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import type { ReleaseError } from '../../../workbench/release/release.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import { BuildSelect, PublisherText } from './build-choice.tsx';
import styles from './release-strip.module.css';
import type { UsedRelease } from './use-release.ts';

export interface ReleaseStripProps extends UsedRelease {
  /** True: another version must not be loaded now. */
  readonly locked: boolean;
}

export function ReleaseStrip({ loading, again, cancel, choose, locked }: ReleaseStripProps) {
  const id = useId();
  const written = useFlasher(({ release }) => release?.chosen.id ?? null);
  switch (loading.state) {
    case 'none':
      return null;
    case 'loading':
      return (
        <div className={`card ${styles['strip']}`}>
          <Spinner />
          <span role="status">Loading the files of the release…</span>
          {loading.part === null ? null : <span className="mono">{Math.round(loading.part * 100)} %</span>}
          <Button size="sm" variant="quiet" onClick={cancel}>
            Cancel
          </Button>
        </div>
      );
    case 'cancelled':
      return (
        <div className={`card ${styles['strip']}`}>
          <span role="status">The files of the release were not loaded because you cancelled.</span>
          <Button size="sm" onClick={again}>
            Load them
          </Button>
        </div>
      );
    case 'failed':
      return (
        <Notice level="error" title={`${loading.error.title}.`} action={<WayOn error={loading.error} again={again} />}>
          {loading.error.message}
        </Notice>
      );
    case 'elsewhere': {
      const { name, deviceFamily, chosen } = loading.release;
      const other = [chosen.builds[0]?.deviceFamily ?? deviceFamily, 'esp'].find((family) => family in families);
      const { page } = families[other as FamilyId];
      const chips = familyWords[other as FamilyId].all;
      return (
        <Notice
          level="info"
          title={`${name} is for ${chips}.`}
          action={
            <a className={buttonClass({ size: 'sm' })} href={`${page}${location.search}`}>
              Open it in the flasher for {chips}
            </a>
          }
        >
          This page is for other chips, so the files were not loaded.
        </Notice>
      );
    }
    case 'loaded': {
      const { name, publisher, host, demo, versions, chosen } = loading.release;
      return (
        <div className={`card ${styles['strip']}`}>
          <PackageOpen />
          <span>
            <b>{name}</b> <PublisherText publisher={publisher} host={host} />
          </span>
          {demo ? <Badge tone="info">Demo</Badge> : null}
          {chosen.channel === 'beta' ? <Badge tone="warning">Beta</Badge> : null}
          <label htmlFor={id} className="silk">
            Version
          </label>
          {versions.length === 1 ? (
            <span className="mono">{chosen.version}</span>
          ) : (
            <Select
              id={id}
              mono
              className={styles['versions']}
              value={chosen.id}
              disabled={locked}
              onChange={({ currentTarget }) => {
                const version = versions.find((one) => one.id === currentTarget.value);
                if (version !== undefined) {
                  choose(version);
                }
              }}
            >
              {versions.map((version) => (
                <option key={version.id} value={version.id}>
                  {version.version}
                </option>
              ))}
            </Select>
          )}
          {written === chosen.id ? <BuildSelect locked={locked} /> : null}
          {written === chosen.id ? null : (
            <>
              <span className={styles['hint']}>The files below are no longer those of this release.</span>
              <Button size="sm" disabled={locked} onClick={again}>
                Load them again
              </Button>
            </>
          )}
          {demo && written === chosen.id ? (
            <span className={styles['hint']}>For the {pageFamily().demos[0].label}: connect it, then write.</span>
          ) : null}
        </div>
      );
    }
  }
}

function WayOn({ error: { way }, again }: { readonly error: ReleaseError; readonly again: () => void }) {
  switch (way) {
    case 'again':
      return (
        <Button size="sm" onClick={again}>
          Try again
        </Button>
      );
    case 'sign-in':
      return (
        <Button size="sm" onClick={() => void signIn().then(again)}>
          Sign In
        </Button>
      );
    case null:
      return null;
  }
}
