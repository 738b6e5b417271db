/** Assembles a flasher page from the parts of all families and the slots for the parts of one family. */

import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { PortNames } from '../../protocol/bench/port-part.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { loadedPlace } from '../../shared/ui/loaded-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { useBenchStatus } from '../../workbench/bench-status.ts';
import { AnswerPlaceContext, type MainWay } from '../../workbench/failure-card.tsx';
import type { ConnectedBoard } from '../../workbench/families.ts';
import { GuidanceLink } from '../../workbench/guidance-link.tsx';
import { NoBoardChosen } from '../../workbench/port-picker/no-board-chosen.tsx';
import type { ReleaseSource } from '../../workbench/release/release.ts';
import { VisitPlaceContext } from '../../workbench/release/visit-place.ts';
import { ShareBarSlot } from '../../workbench/sharing/share-bar-slot.tsx';
import { ShareDockPlace } from '../../workbench/sharing/share-dock-place.tsx';
import { changeSharing, sharingNow } from '../../workbench/sharing/sharing-store.ts';
import { Answer } from './answer/answer.tsx';
import { AcquiredPortNotice, TerminalPorts } from './board/acquired-port.tsx';
import type { BoardDescription } from './board/board-description.ts';
import { BoardStrip } from './board/board-strip.tsx';
import type { MonitorProps } from './board/monitor.tsx';
import { SharedBoardWay } from './board/shared-board-way.tsx';
import { FirstDemo, UsbWay } from './board/start-ways.tsx';
import { FailureView, type Remedies } from './failures/failure-view.tsx';
import { ArrivedLine } from './files/arrived-line.tsx';
import { FileMeansProvider } from './files/file-means-provider.tsx';
import { OffsetFieldsContext } from './files/offset-fields.ts';
import styles from './flasher-page.module.css';
import { FlasherTitle } from './flasher-title.tsx';
import { BuildSelect } from './release/build-choice.tsx';
import { isVisit, ReleaseHead } from './release/release-head.tsx';
import { ReleaseStrip } from './release/release-strip.tsx';
import { useRelease } from './release/use-release.ts';
import { SettingsLine } from './settings/settings-line.tsx';
import { holdsContents, isBusy } from './state/flash-state.ts';
import { useBatchResults } from './store/batch-results.ts';
import { hasImage, otherVersionFor } from './store/board-builds.ts';
import { connect, connectPicked, disconnect } from './store/flash-actions.ts';
import { flasherStore, flashOf, pageFamily, useFlash, useFlasher, useHasBoard } from './store/flasher-store.ts';
import { getTabPorts } from './store/flasher-tab-ports.ts';
import { acquiredPort, isTerminals, setAcquiredPort } from './store/port-owners.ts';
import { PlanBlock } from './write/plan-block.tsx';

export interface FlasherPageProps extends MonitorProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
  readonly describe: (board: ConnectedBoard) => BoardDescription;
  /** Further ways to connect a board than its serial port, and notes to read before. */
  readonly ways?: ReactNode;
  /** Fields of the settings for writing. */
  readonly settings: ReactNode;
  /** Says below the answer what a person has to do while a board is being connected. */
  readonly awaited?: ReactNode;
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
  const { releaseSource, describe, ways, settings, awaited, news, backup, contents, remedies, onOpenDump } = props;
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
  const visitPlace = use(VisitPlaceContext);
  // Without its files, the page of a release still shows them alone.
  const isAwaited = visitPlace !== null && release.loading.state !== 'loaded';
  const visit = (isVisit(release, loaded) || isAwaited) && !batchMode;
  useEffect(() => {
    // The press of *Install* on the release's page: the browser's list opens only shortly after it.
    const pressed = visitPlace?.takePress();
    if (pressed === 'demo') {
      void connect(port, pageFamily().demos[0].source);
    } else if (pressed && navigator.userActivation?.isActive !== false) {
      void connectPicked(port);
    }
  }, [visitPlace, port]);
  useEffect(() => visitPlace?.follow(loaded?.chosen.id ?? null, isBusy({ phase })), [visitPlace, loaded, phase]);
  const noBoard = phase === 'none';
  const first = noBoard && !hasFiles && !visit && !batchMode;
  const openOffset = () => {
    flushSync(() => setOpen(true));
    root.current?.querySelector<HTMLInputElement>('input[data-offset]')?.focus();
  };
  const chooseOtherVersion = () => {
    const version = otherVersionFor(flasherStore().getState(), port);
    if (version !== null) {
      release.choose(version);
    }
  };
  const answer = (
    <Answer
      way={way}
      onHead={setHead}
      onOffset={openOffset}
      onOtherVersion={chooseOtherVersion}
      first={first}
      visit={visit}
      {...(visitPlace !== null && { inPlace: release })}
    />
  );
  const connects = noBoard ? (
    <div className={styles['ways']}>
      <TerminalPorts />
      {first ? <FirstDemo /> : <UsbWay />}
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
          <ArrivedLine />
          {visit ? null : news}
          <div className={classNames(styles['column'], visit && styles['narrow'], visitPlace && styles['inPlace'])}>
            {visit && visitPlace !== null ? (
              <BuildSelect locked={isBusy({ phase })} />
            ) : visit ? (
              <ReleaseHead {...release} locked={isBusy({ phase })} />
            ) : visitPlace !== null ? null : noBoard ? (
              <FlasherTitle />
            ) : (
              <h1 className="visually-hidden">Firmware flasher</h1>
            )}
            <div className={styles['alerts']}>
              <ShareDockPlace className="card" />
              <AcquiredPortNotice />
              {visit && !isAwaited ? null : <ReleaseStrip {...release} locked={isBusy({ phase })} />}
            </div>
            {visitPlace === null ? answer : createPortal(answer, visitPlace.box)}
            {phase === 'connecting' ? awaited : null}
            <NoBoardChosen
              hasBoard={!noBoard && phase !== 'failed' && phase !== 'cancelled'}
              again={(list) => void connectPicked(port, {}, list)}
            />
            {first ? (
              <>
                <p className={styles['hint']}>{pageFamily().words.besides}</p>
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
                  first={first || visitPlace !== null}
                  visit={visit}
                  ways={first || connects === null ? null : connects}
                  remedy={<FailureView remedies={remedies} />}
                  backup={backup}
                  settings={<SettingsLine>{settings}</SettingsLine>}
                />
              </OffsetFieldsContext>
            </AnswerPlaceContext>
            <div className={styles['below']}>
              <BatchPlace />
            </div>
            {visit ? null : <div className={styles['below']}>{contents}</div>}
            {visitPlace !== null && (noBoard || phase === 'connecting' || holdsContents({ phase })) ? null : (
              <div className={`card ${styles['below']} ${styles['tools']}`}>
                <MonitorPlace {...(onOpenDump && { onOpenDump })} />
              </div>
            )}
            <ErasePlace />
          </div>
        </div>
      </FileMeansProvider>
    </>
  );
}

/** Fetches the question before an erase with the first board. */
const ErasePlace = loadedPlace(useHasBoard, async () => (await import('./board/erase-dialog.tsx')).EraseDialog);

/** Fetches the monitor with the first board, or with the first line of the log. */
const MonitorPlace = loadedPlace<MonitorProps>(
  () => {
    const isWanted = useFlash(({ phase }) => phase !== 'none');
    const hasLines = useBenchStatus(({ status }) => status.lines > 0);
    return isWanted || hasLines;
  },
  async () => (await import('./board/monitor.tsx')).Monitor,
);

/** Fetches the panel of batch mode with the first batch. */
const BatchPlace = loadedPlace(
  () => {
    const isOn = useFlasher(({ batchMode }) => batchMode);
    const hasResults = useBatchResults().length > 0;
    return isOn || hasResults;
  },
  async () => (await import('./board/batch-panel.tsx')).BatchPanel,
);

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
