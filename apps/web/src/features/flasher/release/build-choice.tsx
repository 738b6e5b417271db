/** Boards that the release on the page has builds for, and the choice among builds that the board leaves open. */
import { buildName, chipsOf } from '@wirebench/flasher/release/builds';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { hasServer } from '../../../shared/edition.ts';
import { Select } from '../../../shared/ui/select.tsx';
import type { VersionBuild } from '../../../workbench/release/release.ts';
import { choiceFor, openBuilds } from '../store/board-builds.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { takeBuild } from '../store/plan-actions.ts';
import styles from './release-head.module.css';

/** Chips of the builds, one after the other; the connected board's is checked. */
export function BuildChips({ builds }: { readonly builds: readonly VersionBuild[] }) {
  const name = useFlash(({ board }) => board?.name ?? null);
  const names = builds.length === 1 ? builds.map(buildName) : chipsOf(builds);
  return names.map((chip) => (
    <span key={chip} className={styles['model']}>
      {chip === name ? <Check /> : null}
      {chip}
    </span>
  ));
}

/** Drawn if the board's facts leave several builds open. */
export function BuildSelect({ locked }: { readonly locked: boolean }) {
  const id = useId();
  const port = useFlasher(({ selected }) => selected);
  const release = useFlasher((state) => state.release);
  const family = useFlasher((state) => state.family);
  const flashes = useFlasher((state) => state.flashes);
  const buildsByHand = useFlasher((state) => state.buildsByHand);
  const choice = choiceFor({ release, family, flashes, buildsByHand }, port);
  const open = choice === null ? [] : openBuilds(choice);
  if (choice === null || open.length === 0) {
    return null;
  }
  const chosen = choice.kind === 'chosen' ? choice.build.id : '';
  return (
    <span className={styles['build']}>
      <label htmlFor={id} className="silk">
        Build
      </label>
      <Select
        id={id}
        value={chosen}
        disabled={locked}
        onChange={({ currentTarget }) => takeBuild(port, currentTarget.value)}
      >
        {chosen === '' ? (
          <option value="" disabled>
            Choose the build
          </option>
        ) : null}
        {open.map((build) => (
          <option key={build.id} value={build.id}>
            {buildName(build)}
          </option>
        ))}
      </Select>
    </span>
  );
}

/** Name of the publisher, and the host unless the release is this site's: `by ada, from firmware.example`. */
export function PublisherText({ publisher, host }: { readonly publisher: string; readonly host?: string | undefined }) {
  return (
    <>
      {publisher === '' ? null : `by ${publisher}`}
      {host === undefined ? null : host === location.host ? (
        publisher === '' ? (
          'from this site'
        ) : null
      ) : (
        <>
          {publisher === '' ? 'from' : ', from'} <b className="mono">{host}</b>, not from this{' '}
          {hasServer ? 'server' : 'site'}
        </>
      )}
    </>
  );
}
