/**
 * React component of the console's log. It creates the `LogView` and passes props to it. The view paints the rows
 * outside of React.
 */
import type { NoticeLevel, RowLayout } from '@wirebench/serial';
import { Copy } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import type { LogPart } from '../../protocol/bench/row-part.ts';
import { linkAt } from '../../protocol/rows/links.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { LevelIcon } from '../../shared/ui/level-icon.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import type { LogDumpPlace } from '../crash/symbol-files.ts';
import { copySelection, endOfLog, saveSelection, type TextOptions } from './copy-selection.ts';
import { addDumpActions } from './dump-strip.ts';
import type { AskedCurve, DescribedFrame } from './frame-bytes.ts';
import { addFrameOpening, laterByteSelecting } from './frame-detail.ts';
import type { InspectedBytes } from './inspected-bytes.ts';
import styles from './log-view.module.css';
import { LogView } from './log-view.ts';
import tickStyles from './mark-ticks.module.css';
import { addMarkTicks } from './mark-ticks.ts';
import { openLogs } from './open-logs.ts';
import { onRevealLine } from './reveal-line.ts';
import { addRowCopy } from './row-copy.ts';
import type { NoticeIcons } from './row-element.ts';
import type { TimeMode } from './row-times.ts';
import type { Anchor } from './row-window.ts';
import { addSelecting, type Selecting } from './selecting.ts';

const loadFrameBytes = () => import('./frame-bytes.ts');
const loadLinkQuestion = () => import('./link-question.tsx');

/** Selected part of a log: whole rows or text. Null: nothing. */
export type SelectedKind = 'rows' | 'text' | null;

export interface ConsoleLogHandle {
  /** Scrolls to the newest lines and follows them. */
  follow(): void;
  /** Stops following and stays at the shown lines. */
  pause(): void;
  focus(): void;
  /**
   * Stops following and scrolls to a line, or to the next shown line if a filter hides it.
   *
   * @param marks True: also scroll to the first match in a line that is longer than the view.
   */
  reveal(sequence: number, marks?: boolean): void;
  /** Copies the selected text, if any. */
  copySelected(options?: TextOptions): void;
  /** Saves the selected text to a file, if any. */
  saveSelected(options?: TextOptions): void;
  /** Clears the selection. */
  clearSelected(): void;
  /** Sequence number of the newest fully visible line. Null: no line is visible. */
  readonly bottomSequence: number | null;
}

export interface ConsoleLogProps {
  readonly ref?: Ref<ConsoleLogHandle>;
  /** Lines that are shown. Null: all ports on one timeline. Constant while the component is mounted. */
  readonly pane: LogPart | null;
  readonly label: string;
  readonly layout: RowLayout;
  /** Height of a row, in px. */
  readonly rowHeight: number;
  /** True: the text layout shows lines that a decoder has cut as frames. Default: false. */
  readonly frames?: boolean;
  /** True: long lines wrap in the text layout. Frames always do. */
  readonly wrap: boolean;
  /** True: the text layout shows control bytes. */
  readonly controls: boolean;
  /** True: the text layout shows a sent line beside its echo. Default: false. */
  readonly echoes?: boolean;
  readonly times: TimeMode;
  /** Height of the strips over the lower edge of the log, in px. */
  readonly covered?: number;
  /** True: an arrow before each line shows its direction. */
  readonly marks: boolean;
  /** True: each line shows its line ending. */
  readonly lineEnds: boolean;
  /** Keeps the reading position while the log is unmounted. Without it, a new log follows the newest lines. */
  readonly kept?: KeptPlace;
  readonly onFollowing: (following: boolean) => void;
  /** Hex layout: receives the selected bytes, or null if the selection is cleared. */
  readonly onInspected: (inspected: InspectedBytes | null) => void;
  /** Called when a selection is complete or cleared. */
  readonly onSelected: (selected: SelectedKind) => void;
  /** Opens a core dump of the log. Without it, the log offers no button for that. */
  readonly onOpenDump?: (dump: LogDumpPlace) => void;
  /** Called with a frame whose bytes are to be named. */
  readonly onDescribeFrame?: (frame: DescribedFrame) => void;
  /** Called with a field of a frame whose curve is to be shown. */
  readonly onPlotField?: (curve: AskedCurve) => void;
}

const levels = ['info', 'success', 'warning', 'error'] as const satisfies readonly NoticeLevel[];

/** Reading position of a paused log. Null: the log follows the newest lines. */
export interface KeptPlace {
  current: Anchor | null;
}

export function ConsoleLog(props: ConsoleLogProps) {
  const {
    ref,
    pane,
    label,
    layout,
    frames = false,
    rowHeight,
    wrap: wrapsText,
    controls,
    echoes = false,
    times,
    marks,
    lineEnds,
    covered = 0,
    kept,
    onFollowing,
    onInspected,
    onSelected,
    onOpenDump,
    onDescribeFrame,
    onPlotField,
  } = props;
  const wrap = wrapsText || frames;
  const scroller = useRef<HTMLElement>(null);
  const icons = useRef<HTMLDivElement>(null);
  const view = useRef<LogView>(null);
  const selecting = useRef<Selecting>(null);
  const ticks = useRef<HTMLDivElement>(null);
  const [spoken, setSpoken] = useState('');
  const [link, setLink] = useState<string | null>(null);
  const question = useLoaded(link !== null, loadLinkQuestion, () => setLink(null));
  const followingChanged = useEffectEvent(onFollowing);
  const inspected = useEffectEvent(onInspected);
  const selected = useEffectEvent(onSelected);
  const openDump = useEffectEvent((dump: LogDumpPlace) => onOpenDump?.(dump));
  const describe = useEffectEvent((frame: DescribedFrame) => onDescribeFrame?.(frame));
  const plot = useEffectEvent((curve: AskedCurve) => onPlotField?.(curve));
  const opened = useRef<number | null>(null);
  const look = useRef({ layout, frames, rowHeight, wrap, controls, echoes, covered });

  useEffect(() => {
    if (scroller.current === null || icons.current === null) {
      return;
    }
    const [copyIcon, ...levelIcons] = icons.current.children;
    const made = new LogView({
      scroller: scroller.current,
      ...look.current,
      icons: Object.fromEntries(levels.map((level, index) => [level, levelIcons[index]])) as NoticeIcons,
      pull: (query) =>
        getBench().call(
          'rows',
          { ...query, joinsEchoes: !look.current.echoes },
          {
            pane,
            controls: look.current.controls,
            ...(look.current.frames && { frames: { opened: opened.current } }),
          },
        ),
      onFollowing: (following) => followingChanged(following),
      onInspected: (bytes) => inspected(bytes),
      onReplaced: () => selecting.current?.clear(),
    });
    made.setCovered(look.current.covered);
    const ending = new AbortController();
    if (copyIcon !== undefined) {
      addRowCopy({
        scroller: scroller.current,
        icon: copyIcon,
        rowOf: (element) => made.rowOf(element),
        onCopy: (text) => void copyText(text, 'Line copied'),
        signal: ending.signal,
      });
    }
    addDumpActions({
      scroller: scroller.current,
      rowOf: (element) => made.rowOf(element),
      onReach: () => made.pause(),
      onAct: (action, { port, sequence, dump }) => {
        if (port === null || dump == null) {
          return;
        }
        if (action === 'open') {
          openDump({ port, at: dump.at, from: dump.from });
        } else {
          // The strip may be partly scrolled out. Anchor the view to it, so that lines inserted above do not move it
          // away.
          made.reveal(sequence);
          void getBench().call('showDumpLines', port, sequence, !dump.shown);
        }
      },
      signal: ending.signal,
    });
    const log = scroller.current;
    const selectBytes = laterByteSelecting(
      {
        scroller: log,
        rowOf: (element) => made.rowOf(element),
        onDescribe: (frame) => describe(frame),
        onPlot: (curve) => plot(curve),
        signal: ending.signal,
      },
      loadFrameBytes,
    );
    const toggleFrame = (sequence: number) => {
      selectBytes();
      const before = opened.current;
      opened.current = before === sequence ? null : sequence;
      for (const line of [before, sequence]) {
        if (line !== null) {
          made.resizeLine(line, line === opened.current);
        }
      }
    };
    selecting.current = addSelecting({
      scroller: scroller.current,
      view: made,
      endOfLog,
      onSettle: (span) => selected(span === null ? null : span.field === 'rows' ? 'rows' : 'text'),
      onCopy: (span) => void copySelection({ span, pane, ...look.current }),
      onSay: setSpoken,
      onOpen: (row, column) => {
        const found = row.offset === null ? linkAt(row.text, column) : null;
        setLink(found);
        if (found === null && row.frame !== undefined) {
          toggleFrame(row.sequence);
          return true;
        }
        return found !== null;
      },
      signal: ending.signal,
    });
    addFrameOpening({
      scroller: scroller.current,
      rowOf: (element) => made.rowOf(element),
      isFree: () => selecting.current?.span === null,
      onOpen: toggleFrame,
      signal: ending.signal,
    });
    if (ticks.current !== null) {
      addMarkTicks(ticks.current, ending.signal);
    }
    let revision = -1;
    let found = '';
    const endTicks = benchStatus.onTick(({ status, find, lookRevision }) => {
      const finds = `${find?.request} ${find?.count} ${find?.shown} ${lookRevision}`;
      made.setCurrent(find?.sequence ?? null);
      if (status.revision !== revision || finds !== found) {
        revision = status.revision;
        found = finds;
        made.invalidate();
      }
    });
    view.current = made;
    openLogs.add(made);
    // A new view follows, unless a position was kept.
    followingChanged(true);
    if (kept?.current) {
      made.takeUp(kept.current);
    }
    return () => {
      if (kept !== undefined) {
        kept.current = made.place;
      }
      view.current = null;
      openLogs.delete(made);
      selecting.current = null;
      endTicks();
      ending.abort();
      made.dispose();
      if (pane !== null) {
        void getBench().call('closePane', pane);
      }
    };
  }, [pane, kept]);

  useEffect(() => {
    const before = look.current;
    look.current = { ...before, layout, frames, rowHeight, wrap, controls, echoes };
    if (before.frames !== frames) {
      opened.current = null;
      view.current?.reflow();
    }
    if (
      before.layout !== layout ||
      before.frames !== frames ||
      before.controls !== controls ||
      before.echoes !== echoes
    ) {
      selecting.current?.widen();
    }
    view.current?.setLayout(layout);
    view.current?.setRowHeight(rowHeight);
    view.current?.setWrap(wrap);
    view.current?.refresh();
  }, [layout, frames, rowHeight, wrap, controls, echoes]);

  useEffect(() => {
    look.current = { ...look.current, covered };
    view.current?.setCovered(covered);
  }, [covered]);

  useEffect(() => {
    view.current?.setTimes(times);
  }, [times]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: both change the width available for the text.
  useEffect(() => {
    view.current?.reflow();
  }, [times, lineEnds]);

  useEffect(() => onRevealLine((sequence) => view.current?.reveal(sequence, true)), []);

  const withSelected = (use: typeof copySelection, options?: TextOptions) => {
    const span = selecting.current?.span ?? null;
    if (span !== null) {
      void use({ span, pane, layout, controls, echoes }, options);
    }
  };
  useImperativeHandle(ref, () => ({
    follow: () => view.current?.follow(),
    pause: () => view.current?.pause(),
    focus: () => scroller.current?.focus(),
    reveal: (sequence, marks) => view.current?.reveal(sequence, marks),
    copySelected: (options) => withSelected(copySelection, options),
    saveSelected: (options) => withSelected(saveSelection, options),
    clearSelected: () => selecting.current?.clear(),
    get bottomSequence() {
      return view.current?.bottomSequence ?? null;
    },
  }));

  return (
    <>
      <section
        ref={scroller}
        // The focus keeper finds the log by this id after a layout change.
        id={`console-log-${pane ?? 'all'}`}
        className={styles['log']}
        data-times={times}
        data-marks={marks ? 'on' : 'off'}
        data-line-ends={lineEnds ? 'on' : 'off'}
        data-opens-dumps={onOpenDump === undefined ? undefined : ''}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
        tabIndex={0}
      />
      <div ref={ticks} className={tickStyles['ticks']} aria-hidden="true" />
      <div className="visually-hidden" role="status" aria-live="polite">
        {spoken}
      </div>
      {link === null || question === null ? null : (
        <question.LinkQuestion address={link} onClose={() => setLink(null)} />
      )}
      <div ref={icons} hidden>
        <Copy />
        {levels.map((level) => (
          <LevelIcon key={level} level={level} />
        ))}
      </div>
    </>
  );
}
