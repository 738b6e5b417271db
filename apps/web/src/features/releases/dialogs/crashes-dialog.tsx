import { buildsOf, type CrashGroup, type Project, type Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { exactText } from '../../../shared/dates/dates.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useCrashes, useDeleteCrashes } from '../calls/crashes.ts';
import { countText } from '../count-text.ts';
import { CrashDetail } from './crash-detail.tsx';
import styles from './crashes-dialog.module.css';

export interface CrashesDialogProps {
  readonly project: Project;
  readonly version: Version;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Shows the reported crashes of a version, grouped by fingerprint. Only the owner can see them. */
export function CrashesDialog(props: CrashesDialogProps) {
  return <Crashes key={useOpenings(props.open)} {...props} />;
}

function Crashes({ project, version, open, onClose }: CrashesDialogProps) {
  const { _id: id, version: number } = version;
  const query = useCrashes(id, open);
  const { data, error, isFetching } = query;
  const crashes = data?.pages.flatMap((page) => page.crashes) ?? [];
  const total = data?.pages[0]?.pagination.total ?? 0;
  const deletion = useDeleteCrashes(id, {
    onSuccess: () => toast(`Crashes of version ${number} deleted`),
    onError: (reason) => toast('Failed to delete the crashes', { level: 'error', detail: errorMessage(reason) }),
  });
  const all = useTwoPresses(() => deletion.mutate(null), null);
  return (
    <Dialog open={open} onClose={onClose} size="lg" title={`Crashes of version ${number}`}>
      <p className="small">
        People send crashes from the terminal, after they have seen what is sent: cause, stacks, chip and versions, and
        a core dump only where they chose to. Who they are is not stored.
      </p>
      {error === null ? null : <LoadFailure query={query} message={`Failed to load crashes: ${errorMessage(error)}`} />}
      {data === undefined ? (
        <p role="status">{error === null ? 'Loading crashes…' : null}</p>
      ) : total === 0 ? (
        <p>
          Nobody has sent a crash of this version. Whoever opens a core dump in the terminal can send it to you with{' '}
          <b>Send to the publisher</b>.
        </p>
      ) : (
        <>
          <div className={`row ${styles['head']}`}>
            <span className="num">
              {countText(total)} different {total === 1 ? 'crash' : 'crashes'}, last seen first
            </span>
            <Button
              size="sm"
              variant={all.armed ? 'danger-fill' : 'danger'}
              busy={deletion.isPending}
              aria-label={all.armed ? 'Confirm: delete all crashes' : 'Delete all crashes'}
              onBlur={all.disarm}
              onClick={all.press}
            >
              {all.armed ? 'Confirm' : 'Delete all'}
            </Button>
          </div>
          <ul className={styles['list']} aria-label="Crashes">
            {crashes.map((crash) => (
              <CrashLine key={crash.fingerprint} project={project} version={version} crash={crash} />
            ))}
          </ul>
          {query.hasNextPage ? (
            <Button size="sm" busy={isFetching} onClick={() => void query.fetchNextPage()}>
              Show more crashes
            </Button>
          ) : null}
        </>
      )}
    </Dialog>
  );
}

interface CrashLineProps {
  readonly project: Project;
  readonly version: Version;
  readonly crash: CrashGroup;
}

function CrashLine({ project, version, crash }: CrashLineProps) {
  const { fingerprint, cause, count, firstSeenAt, lastSeenAt, chips, builds = [] } = crash;
  const ofBuilds = builds.flatMap(({ buildId, count: times }) => {
    const build = buildsOf(version, project).find(({ _id }) => _id === buildId);
    return build === undefined ? [] : [`build for ${buildName(build)} (${countText(times)})`];
  });
  const [open, setOpen] = useState(false);
  const detailId = useId();
  return (
    <li className={styles['crash']}>
      <button
        type="button"
        className={`ring-inside ${styles['opener']}`}
        aria-expanded={open}
        aria-controls={open ? detailId : undefined}
        onClick={() => setOpen(!open)}
      >
        {open ? <ChevronDown /> : <ChevronRight />}
        <span className={styles['cause']}>{cause}</span>
        <b className="num">
          {countText(count)}
          <span className="visually-hidden"> {count === 1 ? 'time' : 'times'}</span>
        </b>
        <span className={`small ${styles['facts']}`}>
          {[chips.map((one) => `${one.chip} (${countText(one.count)})`).join(', '), ...ofBuilds].join(' · ')}
          {' · '}
          {firstSeenAt === lastSeenAt ? (
            <time dateTime={lastSeenAt}>{exactText(lastSeenAt)}</time>
          ) : (
            <>
              first <time dateTime={firstSeenAt}>{exactText(firstSeenAt)}</time>, last{' '}
              <time dateTime={lastSeenAt}>{exactText(lastSeenAt)}</time>
            </>
          )}
        </span>
      </button>
      {open ? <CrashDetail id={detailId} version={version} fingerprint={fingerprint} cause={cause} /> : null}
    </li>
  );
}
