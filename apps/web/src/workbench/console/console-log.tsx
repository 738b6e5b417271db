/** The console's log as a component: makes the view, tells it what React knows, and stays out of what it paints. */
import type { NoticeLevel, RowLayout } from '@wirebench/serial';
import { Copy } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { LevelIcon } from '../../shared/ui/level-icon.tsx';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import { allRows, copyRows } from './copy-rows.ts';
import styles from './log-view.module.css';
import { LogView } from './log-view.ts';
import { addRowCopy } from './row-copy.ts';
import type { NoticeIcons } from './row-element.ts';
import { addRowSelecting } from './row-selecting.ts';
import type { TimeMode } from './row-times.ts';

export interface ConsoleLogHandle {
  /** Shows the newest lines and stays with them. */
  follow(): void;
  /** Stays with the lines that are shown now. */
  pause(): void;
  focus(): void;
  /** Shows the first line from this time on, in milliseconds since the Unix epoch, and stays there. */
  showTime(at: number): Promise<void>;
  /** Goes on to another of the lines found, and stays there. */
  step(direction: 'next' | 'previous'): Promise<void>;
}

export interface ConsoleLogProps {
  readonly ref?: Ref<ConsoleLogHandle>;
  readonly layout: RowLayout;
  /** In px. */
  readonly rowHeight: number;
  readonly times: TimeMode;
  /** An arrow in front of each line for where it went. */
  readonly marks: boolean;
  /** Each line with its ending, written out. */
  readonly lineEnds: boolean;
  readonly onFollowing: (following: boolean) => void;
  readonly onCopied: () => void;
  /** Rows were copied, `lines` of them, or could not be. */
  readonly onRowsCopied: (outcome: { readonly lines: number } | { readonly failure: string }) => void;
}

const levels = ['info', 'success', 'warning', 'error'] as const satisfies readonly NoticeLevel[];

export function ConsoleLog(props: ConsoleLogProps) {
  const { ref, layout, rowHeight, times, marks, lineEnds, onFollowing, onCopied, onRowsCopied } = props;
  const scroller = useRef<HTMLElement>(null);
  const icons = useRef<HTMLDivElement>(null);
  const view = useRef<LogView>(null);
  const followingChanged = useEffectEvent(onFollowing);
  const copied = useEffectEvent(onCopied);
  const rowsCopied = useEffectEvent(onRowsCopied);
  const firstLook = useRef({ layout, rowHeight });

  useEffect(() => {
    if (scroller.current === null || icons.current === null) {
      return;
    }
    const [copyIcon, ...levelIcons] = icons.current.children;
    const made = new LogView({
      scroller: scroller.current,
      ...firstLook.current,
      icons: Object.fromEntries(levels.map((level, index) => [level, levelIcons[index]])) as NoticeIcons,
      pull: (query) => getBench().call('rows', query),
      onFollowing: (following) => followingChanged(following),
    });
    const ending = new AbortController();
    if (copyIcon !== undefined) {
      addRowCopy({
        scroller: scroller.current,
        icon: copyIcon,
        rowOf: (element) => made.rowOf(element),
        onCopied: () => copied(),
        signal: ending.signal,
      });
    }
    addRowSelecting({
      scroller: scroller.current,
      rowOf: (element) => made.rowOf(element),
      neighbour: (row, step) => made.neighbour(row, step),
      all: allRows,
      onChange: (span) => made.setSelected(span),
      onReach: ({ sequence }) => made.reveal(sequence),
      onCopy: async (span) => rowsCopied(await copyRows(span, firstLook.current.layout)),
      signal: ending.signal,
    });
    let revision = -1;
    let found = '';
    const endTicks = benchStatus.onTick(({ status, find }) => {
      const finds = `${find?.request} ${find?.count} ${find?.shown}`;
      made.setCurrent(find?.sequence ?? null);
      if (status.revision !== revision || finds !== found) {
        revision = status.revision;
        found = finds;
        made.invalidate();
      }
    });
    view.current = made;
    // A new view follows, whatever the one before it did.
    followingChanged(true);
    return () => {
      view.current = null;
      endTicks();
      ending.abort();
      made.dispose();
    };
  }, []);

  useEffect(() => {
    firstLook.current = { layout, rowHeight };
    view.current?.setLayout(layout);
    view.current?.setRowHeight(rowHeight);
  }, [layout, rowHeight]);

  useEffect(() => {
    view.current?.setTimes(times);
  }, [times]);

  useImperativeHandle(ref, () => ({
    follow: () => view.current?.follow(),
    pause: () => view.current?.pause(),
    focus: () => scroller.current?.focus(),
    showTime: async (at) => {
      const sequence = await getBench().call('lineFrom', at);
      if (sequence === null) {
        view.current?.follow();
      } else {
        view.current?.reveal(sequence);
      }
    },
    step: async (direction) => {
      const hit = await getBench().call('findStep', direction, view.current?.bottomSequence ?? 0);
      if (hit !== null) {
        view.current?.reveal(hit.sequence);
      }
    },
  }));

  return (
    <>
      <section
        ref={scroller}
        className={styles['log']}
        data-times={times}
        data-marks={marks ? 'on' : 'off'}
        data-line-ends={lineEnds ? 'on' : 'off'}
        role="log"
        aria-live="off"
        aria-label="Messages"
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
