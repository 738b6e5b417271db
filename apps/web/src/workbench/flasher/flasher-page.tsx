/** A flasher, put together: what all families show, with the places for what only one has. */
import { type ReactNode, useEffect, useMemo } from 'react';
import { BenchCard } from './board/bench-card.tsx';
import { BoardCard, type BoardCardProps } from './board/board-card.tsx';
import { BoardStrip } from './board/board-strip.tsx';
import { EraseDialog } from './board/erase-dialog.tsx';
import { HistoryCard } from './board/history-card.tsx';
import { MonitorCard } from './board/monitor-card.tsx';
import { FailureView, type Remedies } from './failures/failure-view.tsx';
import { FilesCard } from './files/files-card.tsx';
import { FlashLog } from './flash-log.tsx';
import { FlasherFrame, type FlasherFrameProps } from './flasher-frame.tsx';
import { PhaseSpeaker } from './phase-speaker.tsx';
import { ReleaseStrip } from './release/release-strip.tsx';
import { type ReleaseSource, useRelease } from './release/use-release.ts';
import { isBusy } from './state/flash-state.ts';
import { useFlash, useFlasher } from './store/flasher-store.ts';
import { getRollCall } from './store/other-tabs.ts';
import { WriteCard } from './write/write-card.tsx';

export interface FlasherPageProps extends Pick<FlasherFrameProps, 'page'>, BoardCardProps {
  /** Null when the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
  /** How files are written. */
  readonly settings: ReactNode;
  /** What stands on the board, to be read and erased. */
  readonly contents: ReactNode;
  /** What only this family meets. */
  readonly remedies: Remedies<string>;
}

export function FlasherPage({ page, releaseSource, describe, ways, settings, contents, remedies }: FlasherPageProps) {
  const release = useRelease(releaseSource);
  useEffect(() => {
    // From now on this tab answers the others.
    getRollCall();
  }, []);
  const phase = useFlash((flash) => flash.phase);
  const boardKnown = useFlash((flash) => flash.board !== null);
  const atWork = ['writing', 'restarting', 'working', 'done'].includes(phase);
  return (
    <FlasherFrame
      page={page}
      alert={
        <>
          <ReleaseStrip {...release} locked={isBusy({ phase })} />
          <BoardStrip />
          <FailureView remedies={remedies} />
        </>
      }
      aside={
        <>
          <BoardCard describe={describe} ways={ways} />
          {settings}
          <BenchCard />
          <HistoryCard />
        </>
      }
      asideFirst={!boardKnown}
    >
      {atWork ? <WriteCard /> : null}
      {phase === 'done' ? <MonitorCard /> : null}
      <FilesCard />
      {atWork ? null : <WriteCard />}
      {phase === 'done' ? null : <MonitorCard />}
      {contents}
      <BoardLog />
      <EraseDialog />
      <PhaseSpeaker />
    </FlasherFrame>
  );
}

/** By itself: a line that is added renders the log, and not the page. */
function BoardLog() {
  const lines = useFlasher((state) => state.lines);
  const selected = useFlasher((state) => state.selected);
  const own = useMemo(() => lines.filter(({ port }) => port === selected), [lines, selected]);
  return own.length === 0 ? null : <FlashLog lines={own} fileName="wirebench-flash-log" />;
}
