/** Everything of the plan below the answer: remedies, findings, files, memory map and settings. */

import type { PortNumber } from '@wirebench/serial';
import { ChevronDown, FilePlus2, Plus } from 'lucide-react';
import { type ReactNode, use, useEffect, useState } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { loadedPlace } from '../../../shared/ui/loaded-dialog.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useAnswer } from '../answer/use-answer.ts';
import { FileMeansContext } from '../files/file-means.ts';
import { useFilesLock } from '../files/file-means-provider.tsx';
import type { FileTableProps } from '../files/file-table.tsx';
import { leftOutGroups } from '../files/left-out-text.ts';
import type { ListedFile } from '../files/write-list.ts';
import { Fold } from '../fold.tsx';
import type { FlashState } from '../state/flash-state.ts';
import { buildsOf, useShownFiles } from '../store/board-builds.ts';
import { useChanges } from '../store/board-changes.ts';
import { removeAllFiles } from '../store/file-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { watchability, watchedBoards, watchKey } from '../store/watched-boards.ts';
import { FindingList } from './finding-list.tsx';
import { FlashMap, useWriteList } from './flash-map.tsx';
import styles from './plan-block.module.css';
import { StartRemedy } from './start-remedy.tsx';
import { fileProgress } from './write-view.ts';

export interface PlanBlockProps {
  /** Remedy of a failure; draws nothing without one. */
  readonly remedy: ReactNode;
  readonly settings: ReactNode;
  /** Offers what to save before the plan is carried out; undefined: the family has nothing to save. */
  readonly backup: ReactNode;
  /** Shown while no board is connected: further ways to connect one. */
  readonly ways: ReactNode;
  /** True: no board and no files yet. */
  readonly first: boolean;
  /** True: the page of a release, so that files and settings are one line. */
  readonly visit: boolean;
}

/** Loaded with the first file or change. */
const FileTable = loadedPlace<FileTableProps>(
  () => true,
  async () => (await import('../files/file-table.tsx')).FileTable,
);

const loadWatch = () => import('../watch/build-watch.tsx');

/** The switch that lets each new build of a folder be written by itself. What it starts is loaded when it is pressed. */
function WatchSwitch({ port }: { readonly port: PortNumber }) {
  const kind = useFlasher(watchability);
  const watch = useFlasher(({ watches }) => watches[port]);
  const hasBoard = useFlasher(({ flashes, batchMode }) => flashes[port].board !== null && !batchMode);
  const isFolder = useFlasher(({ given }) => given.flat().some(({ name }) => name.includes('/')));
  const [wanted, setWanted] = useState(false);
  const loaded = useLoaded(wanted, loadWatch, () => setWanted(false));
  useEffect(() => {
    if (wanted && loaded !== null) {
      loaded.startWatching(port);
      setWanted(false);
    }
  }, [wanted, loaded, port]);
  if (!hasBoard || kind === null || (kind === 'none' && !('showDirectoryPicker' in window))) {
    return null;
  }
  return (
    <span className={styles['watch']}>
      {kind === 'none' ? (
        `Choose the ${isFolder ? 'folder' : 'file'} again to let it be watched`
      ) : (
        <Switch
          label="Write each new build by itself"
          checked={wanted || watch !== null}
          onChange={(checked) => (checked ? setWanted(true) : watch?.stop())}
        />
      )}
    </span>
  );
}

/** Goes on watching the folder that was watched for the board before, once the board is connected. */
function useRememberedWatch(port: PortNumber): void {
  const key = useFlasher(({ flashes }) => (flashes[port].board === null ? null : watchKey(port)));
  const [failed, setFailed] = useState(false);
  const isRemembered = key !== null && !failed && watchedBoards().includes(key);
  const loaded = useLoaded(isRemembered, loadWatch, () => setFailed(true));
  useEffect(() => {
    if (isRemembered) {
      void loaded?.resumeWatching(port);
    }
  }, [isRemembered, loaded, port]);
}

export function PlanBlock({ remedy, settings, backup, ways, first, visit }: PlanBlockProps) {
  const port = useFlasher(({ selected }) => selected);
  const { view, flash, changes } = useAnswer();
  const list = useWriteList();
  const { phase, plan } = flash;
  const locked = useFilesLock();
  const settled = phase === 'writing' || phase === 'restarting' || phase === 'done';
  const failed = phase === 'failed' || phase === 'cancelled';
  const hasBuilds = useFlasher((state) => buildsOf(state) !== null);
  // The plan of changes is beside their editor then, so that what is edited keeps its place.
  const isEditing = useFlasher(({ editing }) => editing[port]);
  const rows = isEditing ? [] : changes;
  // The column beside the editor has findings and backups only with a change: of files alone they stand here.
  const isBeside = isEditing && changes.length > 0;
  const files = (
    <FileTable list={list} changes={rows} locked={locked || hasBuilds} settled={settled} isBuild={hasBuilds} />
  );
  const empty = list.length + rows.length === 0;
  const watch = useFlasher(({ watches }) => watches[port]);
  const isWatched = watch !== null && (view.own !== undefined || view.region === 'Progress');
  useRememberedWatch(port);
  const details = (
    <>
      {empty && (hasBuilds || isEditing) ? null : empty ? (
        <DropLine />
      ) : failed && !visit ? (
        <FoldedFiles flash={flash}>{files}</FoldedFiles>
      ) : isWatched ? (
        <WatchedFiles place={watch.place}>{files}</WatchedFiles>
      ) : (
        files
      )}
      <Notices empty={list.length === 0} locked={locked} />
      {failed && watch !== null ? (
        <div className={`small ${styles['add']}`}>
          <WatchSwitch port={port} />
        </div>
      ) : null}
      {failed || isWatched ? null : <AddLine locked={locked} first={first} visit={visit} />}
      {phase === 'done' && !visit && !isEditing ? <ReceiptPlace /> : null}
      {empty && !isEditing && !(phase === 'done' && plan !== null) ? null : (
        <div className={styles['map']}>
          <FlashMap flash={flash} />
        </div>
      )}
      {isWatched ? null : settings}
    </>
  );
  return (
    <div className={styles['block']} data-first={first || undefined}>
      {remedy}
      {ways}
      {phase === 'done' ? <StartRemedy /> : null}
      {plan === null || settled || isBeside ? null : <FindingList plan={plan} said={view.says ?? []} visit={visit} />}
      {settled || failed || isBeside ? null : backup}
      <SavedFilesPlace />
      {phase === 'done' && visit ? <ReceiptPlace /> : null}
      {visit ? <VisitDetails list={list}>{details}</VisitDetails> : details}
    </div>
  );
}

/** Fetches the offer of the board's files with the first plan. */
const SavedFilesPlace = loadedPlace(
  () => useFlash(({ plan }) => plan !== null),
  async () => (await import('./saved-files-offer.tsx')).SavedFilesOffer,
);

/** Fetches the receipt with the first result. */
const ReceiptPlace = loadedPlace(
  () => true,
  async () => (await import('./receipt-line.tsx')).ReceiptLine,
);

/** Fetches the notices about the files with the first one. */
const Notices = loadedPlace(
  () =>
    useShownFiles(
      ({ conflicts, builds, elsewhere }) => conflicts.length > 0 || builds !== undefined || elsewhere !== undefined,
    ),
  async () => (await import('../files/file-notices.tsx')).FileNotices,
);

/** Files and settings of a release in one line: `From release weather-node 1.4.0`. */
function VisitDetails({ list, children }: { readonly list: readonly ListedFile[]; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const release = useFlasher((state) => state.release);
  const builds = useFlasher(buildsOf);
  const size = list.reduce((sum, file) => sum + file.size, 0);
  const files = list.length === 1 ? '1 file' : `${list.length} files`;
  return (
    <Fold
      title="Files and settings"
      open={open}
      onToggle={setOpen}
      summary={
        release === null ? null : (
          <>
            <span>
              From release {release.name} {release.chosen.version}
            </span>{' '}
            · {builds !== null && list.length === 0 ? 'the board decides the files' : `${files}, ${sizeText(size)}`}
          </>
        )
      }
    >
      <div className={styles['details']}>{children}</div>
    </Fold>
  );
}

/** While a remedy is shown, the files are one line: `3 verified, weather-node.bin 61 %`. */
function FoldedFiles({ flash, children }: { readonly flash: FlashState; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const list = useWriteList();
  const known = list.flatMap(({ name }) => {
    const progress = fileProgress(name, flash);
    return progress === null ? [] : [{ name, ...progress }];
  });
  const verified = known.filter(({ state }) => state === 'verified' || state === 'same').length;
  const partly = known.find(({ state, done }) => state === 'waiting' && done > 0);
  const parts = [
    ...(verified === 0 ? [] : [`${verified} verified`]),
    ...(partly === undefined ? [] : [`${partly.name} ${Math.floor(partly.done * 100)} %`]),
  ];
  const summary = parts.length === 0 ? list.map(({ name }) => name).join(', ') : parts.join(', ');
  return (
    <Fold title="Files" open={open} onToggle={setOpen} summary={summary}>
      {children}
    </Fold>
  );
}

/** While a folder is watched, its files are one line. */
function WatchedFiles({ place, children }: { readonly place: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Fold title="Watched" open={open} onToggle={setOpen} summary={place}>
      {children}
    </Fold>
  );
}

/** Says how to add the first files. Files can be dropped anywhere on the page. */
function DropLine() {
  const { words } = pageFamily();
  const reading = useFlasher((state) => state.reading);
  const hasBoard = useFlasher(({ flashes, selected }) => flashes[selected].phase !== 'none');
  const { choose, others, over } = use(FileMeansContext);
  return (
    <div className={classNames(styles['drop'], over && styles['over'])}>
      {reading ? <Spinner /> : <FilePlus2 />}
      <span>
        <b>{reading ? 'Reading the files…' : hasBoard ? words.drop : 'Or start with the files.'}</b>{' '}
        {hasBoard ? words.dropHint : `${words.drop}. ${words.dropHint}`}
      </span>
      {hasBoard ? null : (
        <span className={styles['choose']}>
          <Button onClick={choose}>Choose files</Button>
          {others.length === 0 ? null : (
            <Menu
              align="end"
              items={others}
              trigger={(props) => <Button {...props} icon={<ChevronDown />} aria-label="Other ways to add files" />}
            />
          )}
        </span>
      )}
    </div>
  );
}

/** Adds files, and says what was left out of the last ones. */
interface AddLineProps {
  readonly locked: boolean;
  /** True: the page has other buttons that add files. */
  readonly first: boolean;
  /** True: the page of a release, which names it. */
  readonly visit: boolean;
}

function AddLine({ locked, first, visit }: AddLineProps) {
  const port = useFlasher(({ selected }) => selected);
  const isEditing = useFlasher(({ editing }) => editing[port]);
  const changed = useChanges(port).length > 0 && !isEditing;
  const { files, leftOut } = useShownFiles((chosen) => chosen);
  const release = useFlasher((state) => state.release);
  const reading = useFlasher((state) => state.reading);
  const { choose, others } = use(FileMeansContext);
  const groups = leftOutGroups(leftOut);
  const hasRows = files.length > 0 || changed;
  if ((!hasRows || (locked && release === null)) && groups.length === 0) {
    return null;
  }
  return (
    <div className={`small ${styles['add']}`}>
      {locked || first || !hasRows ? null : (
        <Menu
          items={[
            { label: 'Choose files', icon: <FilePlus2 />, onSelect: choose },
            ...others,
            'separator',
            { label: 'Remove all', onSelect: () => void removeAllFiles() },
          ]}
          trigger={(props) => (
            <Button {...props} size="sm" variant="quiet" icon={reading ? <Spinner /> : <Plus />}>
              Add files
              <ChevronDown />
            </Button>
          )}
        />
      )}
      {release === null || visit ? null : (
        <Badge>
          From release {release.name} {release.chosen.version}
        </Badge>
      )}
      {groups.length === 0 ? null : (
        <p className={styles['leftOut']}>
          <b>Left out:</b>{' '}
          {groups.map(({ names, why }) => (
            <span key={why}>
              <b>{names}</b> {why}{' '}
            </span>
          ))}
        </p>
      )}
      {visit || release !== null ? null : <WatchSwitch port={port} />}
    </div>
  );
}
