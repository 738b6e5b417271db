/** Assembles a flasher page from the parts of all families and the slots for the parts of one family. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { PortNames } from '../../protocol/bench-protocol.ts';
import { toast } from '../../shared/ui/toast.ts';
import { ShareBarSlot } from '../../workbench/sharing/share-bar-slot.tsx';
import { ShareButton } from '../../workbench/sharing/share-button.tsx';
import { ShareDockPlace } from '../../workbench/sharing/share-dock-place.tsx';
import { changeSharing, sharingNow } from '../../workbench/sharing/sharing-store.ts';
import { AcquiredPortNotice } from './board/acquired-port.tsx';
import { BatchCard } from './board/batch-card.tsx';
import { BoardCard, type BoardCardProps } from './board/board-card.tsx';
import { BoardStrip } from './board/board-strip.tsx';
import { EraseDialog } from './board/erase-dialog.tsx';
import { HistoryCard } from './board/history-card.tsx';
import { MonitorCard, type MonitorCardProps } from './board/monitor-card.tsx';
import { FailureView, type Remedies } from './failures/failure-view.tsx';
import { FilesCard } from './files/files-card.tsx';
import { FlashLog } from './flash-log.tsx';
import { FlasherFrame } from './flasher-frame.tsx';
import { ReleaseStrip } from './release/release-strip.tsx';
import { type ReleaseSource, useRelease } from './release/use-release.ts';
import { isBusy } from './state/flash-state.ts';
import { disconnect } from './store/flash-actions.ts';
import { flashOf, pageFamily, useFlash, useFlasher } from './store/flasher-store.ts';
import { getTabPorts } from './store/flasher-tab-ports.ts';
import { acquiredPort, isTerminals, setAcquiredPort } from './store/port-owners.ts';
import { useReceipts } from './store/receipt-actions.ts';
import { phaseText } from './write/phase-text.ts';
import { WorkCard, WriteCard } from './write/write-card.tsx';

export interface FlasherPageProps extends BoardCardProps, MonitorCardProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
  /** Card with the settings for writing. */
  readonly settings: ReactNode;
  /** Notice about the connected board that the user must see at once. */
  readonly news?: ReactNode;
  /** Card that reads and erases the contents of the board's flash. */
  readonly contents: ReactNode;
  /** Remedies for the failures that only this family has. */
  readonly remedies: Remedies<string>;
}

export function FlasherPage(props: FlasherPageProps) {
  const { releaseSource, describe, ways, settings, news, contents, remedies, onOpenDump } = props;
  const release = useRelease(releaseSource);
  useSharedBoardNames();
  useEffect(() => {
    // From this call on, this tab answers the other tabs' requests for ports.
    getTabPorts();
    changeSharing({ releasePort });
  }, []);
  const phase = useFlash((flash) => flash.phase);
  const boardKnown = useFlash((flash) => flash.board !== null);
  const monitor = <MonitorCard {...(onOpenDump && { onOpenDump })} />;
  const isWriting = phase === 'writing' || phase === 'restarting' || phase === 'done';
  return (
    <>
      <ShareBarSlot belowHeader />
      <FlasherFrame
        family={pageFamily().name}
        actions={
          <ShareButton place="toolbar" variant="default" label="Share board">
            Share board
          </ShareButton>
        }
        alert={
          <>
            <ShareDockPlace className="card" />
            <AcquiredPortNotice />
            <ReleaseStrip {...release} locked={isBusy({ phase })} />
            <BoardStrip />
            <FailureView remedies={remedies} />
            {news}
          </>
        }
        aside={
          <>
            <BoardCard describe={describe} ways={ways} />
            {settings}
            <BatchCard />
            <HistoryCard />
          </>
        }
        asideFirst={!boardKnown}
      >
        {isWriting ? <WriteCard /> : null}
        {phase === 'done' ? monitor : null}
        <FilesCard />
        {isWriting ? null : <WriteCard />}
        {phase === 'done' ? null : monitor}
        <WorkCard />
        {contents}
        <BoardLog />
        <EraseDialog />
        <PhaseSpeaker />
      </FlasherFrame>
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
 * Announces each phase once to a screen reader. Failures are alerts of their own, and the progress bar announces
 * itself.
 */
function PhaseSpeaker() {
  const port = useFlasher(({ selected }) => selected);
  const baudRate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const application = useReceipts(({ byPort }) => byPort[port]?.application ?? null);
  const { words } = pageFamily();
  const text = useFlash((flash) =>
    phaseText(flash, { application, baudRate, words, demo: flash.board?.demo ?? false }),
  );
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
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
