/** The page of a person who has opened a release's link: what it is and for which board, before the answer. */
import { modelName, releasePath } from '@wirebench/boards';
import { Check, ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import type { ChosenRelease } from '../../../workbench/release/release.ts';
import type { AnswerView } from '../answer/answer-facts.ts';
import { planText } from '../answer/plan-words.ts';
import type { FlashState } from '../state/flash-state.ts';
import { pageFamily, useFlash } from '../store/flasher-store.ts';
import { BuildChips, BuildSelect, PublisherText } from './build-choice.tsx';
import styles from './release-head.module.css';
import type { UsedRelease } from './use-release.ts';

/**
 * Returns true while the page is that of a release: its files load, or are those to be written.
 * @param chosen The release whose files are chosen; null once others were added.
 */
export function isVisit({ loading }: UsedRelease, chosen: ChosenRelease | null): boolean {
  return loading.state === 'loading' || (loading.state === 'loaded' && chosen?.chosen.id === loading.release.chosen.id);
}

export interface ReleaseHeadProps extends UsedRelease {
  /** True: another version must not be loaded now. */
  readonly locked: boolean;
}

export function ReleaseHead({ loading, cancel, choose, locked }: ReleaseHeadProps) {
  const id = useId();
  const name = useFlash(({ board }) => board?.name ?? null);
  if (loading.state !== 'loaded') {
    return (
      <div className={styles['head']}>
        <h1 role="status">
          <Spinner /> Loading the files of the release…
        </h1>
        {loading.state === 'loading' && loading.part !== null ? (
          <span className="mono">{Math.round(loading.part * 100)} %</span>
        ) : null}
        <Button size="sm" variant="quiet" onClick={cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  const { name: title, publisher, host, demo, versions, chosen, deviceModel } = loading.release;
  const model = modelName(deviceModel);
  const builds = chosen.builds.filter(({ deviceFamily }) => deviceFamily === pageFamily().name);
  return (
    <div className={styles['head']}>
      <h1>{title}</h1>
      <label htmlFor={id} className="visually-hidden">
        Version
      </label>
      {versions.length === 1 ? (
        <span className={styles['version']}>{chosen.version}</span>
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
              {version.channel === 'beta' ? ' (beta)' : ''}
            </option>
          ))}
        </Select>
      )}
      {demo ? <Badge tone="info">Demo</Badge> : null}
      {chosen.channel === 'beta' ? <Badge tone="warning">Beta</Badge> : null}
      <p>
        <PublisherText publisher={publisher} host={host} />
        {chosen.shareId === null ? null : (
          <>
            {' · '}
            <a className="link" href={releasePath('version', chosen.shareId)}>
              About this release
            </a>
          </>
        )}
      </p>
      <p className={styles['for']}>
        <span className="silk">For</span>
        {demo ? (
          <span className={styles['model']}>
            {name === model ? <Check /> : null}
            {`${model}, the ${pageFamily().demos[0].label} only`}
          </span>
        ) : (
          <BuildChips builds={builds} />
        )}
        <BuildSelect locked={locked} />
        {builds.every(({ files }) => files.every(({ sha256 }) => sha256 !== null)) ? (
          <span className={styles['checked']}>
            <ShieldCheck />
            Checked against the publisher’s SHA-256. Nothing is uploaded.
          </span>
        ) : (
          <span className={styles['checked']}>
            <ShieldAlert />
            Its manifest states no SHA-256: the files are taken as {host} sends them. Nothing is uploaded.
          </span>
        )}
      </p>
      {chosen.faults.map((fault) => (
        <p key={fault} className={styles['fault']}>
          <TriangleAlert />
          {fault}
        </p>
      ))}
    </div>
  );
}

/** Words of the answer that a person who only wants the release on a board understands. */
export function releaseWords(
  view: AnswerView,
  { phase, plan, board, held }: FlashState,
  version: string,
): Partial<AnswerView> {
  if (view.action === 'connect') {
    return {
      tag: 'Not connected',
      title: 'Connect your board',
      text: 'Plug it in with a USB data cable and pick it in the browser’s dialog. Nothing is written yet.',
    };
  }
  if (view.action === 'write' && phase === 'planned' && plan !== null && plan.toWrite > 0 && board !== null) {
    const label = `Install ${version}`.trim();
    // A write that waits says why.
    if (held) {
      return { label };
    }
    return {
      tag: 'Ready',
      title: `Your board is an ${board.name}`,
      text: `This release fits it. ${planText(plan, pageFamily(), false)}`,
      label,
    };
  }
  return {};
}
