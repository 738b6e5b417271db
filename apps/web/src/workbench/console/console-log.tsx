/** The console's log as a component: makes the view, tells it what React knows, and stays out of what it paints. */
import type { NoticeLevel, PortNumber, RowLayout } from '@wirebench/serial';
import { Copy } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { copyText } from '../../shared/files/copy-text.ts';
import { LevelIcon } from '../../shared/ui/level-icon.tsx';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import type { LogDumpPlace } from '../crash/symbol-files.ts';
import { allRows, copyRows } from './copy-rows.ts';
import { addDumpActions } from './dump-strip.ts';
import type { InspectedBytes } from './inspected-bytes.ts';
import styles from './log-view.module.css';
import { LogView } from './log-view.ts';
import { addRowCopy } from './row-copy.ts';
import type { NoticeIcons } from './row-element.ts';
import { addRowSelecting, type RowSelecting } from './row-selecting.ts';
import type { TimeMode } from './row-times.ts';
import type { Anchor } from './row-window.ts';

export interface ConsoleLogHandle {
  /** Shows the newest lines and stays with them. */
  follow(): void;
  /** Stays with the lines that are shown now. */
  pause(): void;
  focus(): void;
  /**
   * Shows the line with this number, or the one after its place where it is not shown, and stays there.
   * @param marks what is marked in it is to be seen, too.
   */
  reveal(sequence: number, marks?: boolean): void;
  /** Copies the rows that are selected, if any. */
  copySelected(): void;
  /** Gives up what is selected. */
  clearSelected(): void;
  /** The newest line that is seen; null while there is none. */
  readonly bottomSequence: number | null;
}

export interface ConsoleLogProps {
  readonly ref?: Ref<ConsoleLogHandle>;
  /** Only what concerns this port; null for all on one timeline. The same as long as the log is there. */
  readonly pane: PortNumber | null;
  readonly label: string;
  readonly layout: RowLayout;
  /** In px. */
  readonly rowHeight: number;
  /** Lines of text that are longer than the log is wide go on below. */
  readonly wrap: boolean;
  /** Text: every control byte is written out. */
  readonly controls: boolean;
  readonly times: TimeMode;
  /** An arrow in front of each line for where it went. */
  readonly marks: boolean;
  /** Each line with its ending, written out. */
  readonly lineEnds: boolean;
  /** Keeps what is read while the log is not on the screen; left out, it follows the newest lines when it comes back. */
  readonly kept?: KeptPlace;
  readonly onFollowing: (following: boolean) => void;
  /** Hex layout: other bytes are marked, or none any more. */
  readonly onInspected: (inspected: InspectedBytes | null) => void;
  /** Rows are selected, or none any more. */
  readonly onSelected: (selected: boolean) => void;
  /** A core dump in the log is to be read; left out, that is not offered. */
  readonly onOpenDump?: (dump: LogDumpPlace) => void;
}

const levels = ['info', 'success', 'warning', 'error'] as const satisfies readonly NoticeLevel[];

/** What is read in a log, as long as nobody follows its newest lines. */
export interface KeptPlace {
  current: Anchor | null;
}

export function ConsoleLog(props: ConsoleLogProps) {
  const {
    ref,
    pane,
    label,
    layout,
    rowHeight,
    wrap,
    controls,
    times,
    marks,
    lineEnds,
    kept,
    onFollowing,
    onInspected,
    onSelected,
    onOpenDump,
  } = props;
  const scroller = useRef<HTMLElement>(null);
  const icons = useRef<HTMLDivElement>(null);
  const view = useRef<LogView>(null);
  const selecting = useRef<RowSelecting>(null);
  const followingChanged = useEffectEvent(onFollowing);
  const inspected = useEffectEvent(onInspected);
  const selected = useEffectEvent(onSelected);
  const openDump = useEffectEvent((dump: LogDumpPlace) => onOpenDump?.(dump));
  const look = useRef({ layout, rowHeight, wrap, controls });

  useEffect(() => {
    if (scroller.current === null || icons.current === null) {
      return;
    }
    const [copyIcon, ...levelIcons] = icons.current.children;
    const made = new LogView({
      scroller: scroller.current,
      ...look.current,
      icons: Object.fromEntries(levels.map((level, index) => [level, levelIcons[index]])) as NoticeIcons,
      pull: (query) => getBench().call('rows', query, { pane, controls: look.current.controls }),
      onFollowing: (following) => followingChanged(following),
      onInspected: (bytes) => inspected(bytes),
    });
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
          // It may not have scrolled into view yet: lines that come above of what is read would take it away.
          made.reveal(sequence);
          void getBench().call('showDumpLines', port, sequence, !dump.shown);
        }
      },
      signal: ending.signal,
    });
    selecting.current = addRowSelecting({
      scroller: scroller.current,
      rowOf: (element) => made.rowOf(element),
      neighbour: (row, step) => made.neighbour(row, step),
      all: allRows,
      onChange: (span) => {
        made.setSelected(span);
        selected(span !== null);
      },
      onReach: ({ sequence }) => made.reveal(sequence),
      onCopy: (span) => void copyRows(span, look.current.layout, pane),
      signal: ending.signal,
    });
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
    // A new view follows, unless the one before it has left a place.
    followingChanged(true);
    if (kept?.current) {
      made.takeUp(kept.current);
    }
    return () => {
      if (kept !== undefined) {
        kept.current = made.place;
      }
      view.current = null;
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
    look.current = { layout, rowHeight, wrap, controls };
    view.current?.setLayout(layout);
    view.current?.setRowHeight(rowHeight);
    view.current?.setWrap(wrap);
    view.current?.refresh();
  }, [layout, rowHeight, wrap, controls]);

  useEffect(() => {
    view.current?.setTimes(times);
  }, [times]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with them the width of what is beside the text changes.
  useEffect(() => {
    view.current?.reflow();
  }, [times, lineEnds]);

  useImperativeHandle(ref, () => ({
    follow: () => view.current?.follow(),
    pause: () => view.current?.pause(),
    focus: () => scroller.current?.focus(),
    reveal: (sequence, marks) => view.current?.reveal(sequence, marks),
    copySelected: () => selecting.current?.copy(),
    clearSelected: () => selecting.current?.clear(),
    get bottomSequence() {
      return view.current?.bottomSequence ?? null;
    },
  }));

  return (
    <>
      <section
        ref={scroller}
        // By it the focus finds the log again in another layout.
        id={`console-log-${pane ?? 'all'}`}
        className={styles['log']}
        data-times={times}
        data-marks={marks ? 'on' : 'off'}
        data-line-ends={lineEnds ? 'on' : 'off'}
        data-opens-dumps={onOpenDump === undefined ? undefined : ''}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        tabIndex={0}
      />
      <div ref={icons} hidden>
        <Copy />
        {levels.map((level) => (
          <LevelIcon key={level} level={level} />
        ))}
      </div>
    </>
  );
}
