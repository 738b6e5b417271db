/** Assembles a flasher page from the parts of all families and the slots for the parts of one family. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PortNames } from '../../protocol/bench-protocol.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { AnswerPlaceContext, type MainWay } from '../../workbench/failure-card.tsx';
import type { ConnectedBoard } from '../../workbench/families.ts';
import { GuidanceLink } from '../../workbench/guidance-link.tsx';
import { ShareBarSlot } from '../../workbench/sharing/share-bar-slot.tsx';
import { ShareDockPlace } from '../../workbench/sharing/share-dock-place.tsx';
import { changeSharing, sharingNow } from '../../workbench/sharing/sharing-store.ts';
import { Answer } from './answer/answer.tsx';
import { AcquiredPortNotice, TerminalPorts } from './board/acquired-port.tsx';
import { BatchPanel } from './board/batch-panel.tsx';
import type { BoardDescription } from './board/board-description.ts';
import { BoardStrip } from './board/board-strip.tsx';
import { EraseDialog } from './board/erase-dialog.tsx';
import { Monitor, type MonitorProps } from './board/monitor.tsx';
import { SharedBoardWay } from './board/shared-board-way.tsx';
import { FailureView, type Remedies } from './failures/failure-view.tsx';
import { FileMeansProvider } from './files/file-means-provider.tsx';
import { OffsetFieldsContext } from './files/file-table.tsx';
import { FlashLog } from './flash-log.tsx';
import styles from './flasher-page.module.css';
import { FlasherTitle } from './flasher-title.tsx';
import { isVisit, ReleaseHead, ReleaseSteps } from './release/release-head.tsx';
import { ReleaseStrip } from './release/release-strip.tsx';
import { type ReleaseSource, useRelease } from './release/use-release.ts';
import { SettingsLine } from './settings/settings-line.tsx';
import { isBusy } from './state/flash-state.ts';
import { disconnect } from './store/flash-actions.ts';
import { flashOf, pageFamily, useFlash, useFlasher } from './store/flasher-store.ts';
import { getTabPorts } from './store/flasher-tab-ports.ts';
import { acquiredPort, isTerminals, setAcquiredPort } from './store/port-owners.ts';
import { hasImage } from './store/release-builds.ts';
import { PlanBlock } from './write/plan-block.tsx';

export interface FlasherPageProps extends MonitorProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
  readonly describe: (board: ConnectedBoard) => BoardDescription;
  /** Further ways to connect a board than its serial port, and notes to read before. */
  readonly ways?: ReactNode;
  /** Fields of the settings for writing. */
  readonly settings: ReactNode;
  /** Line about the connected board that the user must see at once. */
  readonly news?: ReactNode;
  /** Offers what to save before the plan is carried out. */
  readonly backup?: ReactNode;
  /** Contents of the board, to be read, changed and erased. */
  readonly contents: ReactNode;
  /** Remedies for the failures that only this family has. */
  readonly remedies: Remedies<string>;
}

export function FlasherPage(props: FlasherPageProps) {
  const { releaseSource, describe, ways, settings, news, backup, contents, remedies, onOpenDump } = props;
  const release = useRelease(releaseSource);
  useSharedBoardNames();
  useEffect(() => {
    // From this call on, this tab answers the other tabs' requests for ports.
    getTabPorts();
    changeSharing({ releasePort });
  }, []);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  const [head, setHead] = useState<HTMLElement | null>(null);
  const [way, setWay] = useState<MainWay | null>(null);
  const place = useMemo(() => ({ head, setWay }), [head]);
  const [open, setOpen] = useState(false);
  const fields = useMemo(() => ({ open, setOpen }), [open]);
  const phase = useFlash((flash) => flash.phase);
  const port = useFlasher(({ selected }) => selected);
  const loaded = useFlasher((state) => state.release);
  const hasFiles = useFlasher(hasImage);
  const batchMode = useFlasher((state) => state.batchMode);
  const visit = isVisit(release, loaded) && !batchMode;
  const noBoard = phase === 'none';
  const first = noBoard && !hasFiles && !visit && !batchMode;
  const openOffset = () => {
    flushSync(() => setOpen(true));
    root.current?.querySelector<HTMLInputElement>('input[data-offset]')?.focus();
  };
  const connects = noBoard ? (
    <div className={styles['ways']}>
      <TerminalPorts />
      {ways}
      <SharedBoardWay port={port} />
    </div>
  ) : null;
  return (
    <>
      <ShareBarSlot belowHeader />
      <FileMeansProvider>
        <div ref={root} className={styles['frame']}>
          <BoardStrip describe={describe} narrow={visit} />
          {visit ? null : news}
          <div className={classNames(styles['column'], visit && styles['narrow'])}>
            {visit ? (
              <ReleaseHead {...release} locked={isBusy({ phase })} />
            ) : noBoard ? (
              <FlasherTitle />
            ) : (
              <h1 className="visually-hidden">Firmware flasher</h1>
            )}
            <div className={styles['alerts']}>
              <ShareDockPlace className="card" />
              <AcquiredPortNotice />
              {visit ? null : <ReleaseStrip {...release} locked={isBusy({ phase })} />}
            </div>
            <Answer way={way} onHead={setHead} onOffset={openOffset} first={first} visit={visit} />
            {first ? (
              <>
                <p className={styles['hint']}>
                  {pageFamily().words.adapters} Board not listed? Try another cable first: many carry power only.{' '}
                  <GuidanceLink topic="device-not-found" />
                </p>
                {connects}
              </>
            ) : null}
            <AnswerPlaceContext value={place}>
              <OffsetFieldsContext value={fields}>
                <PlanBlock
                  first={first}
                  visit={visit}
                  ways={first || connects === null ? null : connects}
                  remedy={<FailureView remedies={remedies} />}
                  steps={visit ? <ReleaseSteps /> : null}
                  backup={backup}
                  settings={<SettingsLine>{settings}</SettingsLine>}
                />
              </OffsetFieldsContext>
            </AnswerPlaceContext>
            <div className={styles['below']}>
              <BatchPanel />
            </div>
            {visit ? null : <div className={styles['below']}>{contents}</div>}
            <div className={`card ${styles['below']} ${styles['tools']}`}>
              <Monitor {...(onOpenDump && { onOpenDump })} />
              <BoardLog />
            </div>
            <EraseDialog />
          </div>
        </div>
      </FileMeansProvider>
    </>
  );
}

/**
 * Releases a board for a guest of the shared bench. Returns false while the flasher is working on the board. The bench
 * itself releases a port of the terminal.
 */
async function releasePort(port: PortNumber): Promise<boolean> {
  if (isTerminals(port)) {
    return true;
  }
  if (isBusy(flashOf(port))) {
    toast('The board is in use. Try again when the flasher has finished.', { level: 'error' });
    return false;
  }
  await disconnect(port);
  setAcquiredPort(port, null);
  return true;
}

/** A component of its own, so that a new line renders the log and not the page. */
function BoardLog() {
  const lines = useFlasher((state) => state.lines);
  const selected = useFlasher((state) => state.selected);
  const own = useMemo(() => lines.filter(({ port }) => port === selected), [lines, selected]);
  return own.length === 0 ? null : <FlashLog lines={own} fileName="wirebench-flash-log" />;
}

/**
 * Shows the boards' names to the guests of the shared bench. A port of the terminal keeps the name that it has there.
 * The worker adds that the flasher has a port.
 */
function useSharedBoardNames(): void {
  const [before] = useState(() => sharingNow().portNames);
  const names = useFlasher(({ flashes }) =>
    portNumbers
      .map((port) =>
        isTerminals(port) || acquiredPort(port) !== null
          ? before[port]
          : (flashes[port].board?.name ?? `Board ${port}`),
      )
      .join('\n'),
  );
  useEffect(() => {
    const entries = names.split('\n').map((name, index) => [index + 1, name]);
    changeSharing({ portNames: Object.fromEntries(entries) as PortNames });
  }, [names]);
}
