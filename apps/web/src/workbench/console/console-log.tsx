/** The console's log as a component: makes the view, tells it what React knows, and stays out of what it paints. */
import type { NoticeLevel, RowLayout } from '@wirebench/serial';
import { Copy } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { LevelIcon } from '../../shared/ui/level-icon.tsx';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import styles from './log-view.module.css';
import { LogView } from './log-view.ts';
import { addRowCopy } from './row-copy.ts';
import type { NoticeIcons } from './row-element.ts';

export interface ConsoleLogHandle {
  /** Shows the newest lines and stays with them. */
  follow(): void;
  /** Stays with the lines that are shown now. */
  pause(): void;
}

export interface ConsoleLogProps {
  readonly ref?: Ref<ConsoleLogHandle>;
  readonly layout: RowLayout;
  /** In px. */
  readonly rowHeight: number;
  readonly onFollowing: (following: boolean) => void;
  readonly onCopied: () => void;
}

const levels = ['info', 'success', 'warning', 'error'] as const satisfies readonly NoticeLevel[];

export function ConsoleLog({ ref, layout, rowHeight, onFollowing, onCopied }: ConsoleLogProps) {
  const scroller = useRef<HTMLElement>(null);
  const icons = useRef<HTMLDivElement>(null);
  const view = useRef<LogView>(null);
  const followingChanged = useEffectEvent(onFollowing);
  const copied = useEffectEvent(onCopied);
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
    let revision = -1;
    const endTicks = benchStatus.onTick(({ status }) => {
      if (status.revision !== revision) {
        revision = status.revision;
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

  useImperativeHandle(ref, () => ({
    follow: () => view.current?.follow(),
    pause: () => view.current?.pause(),
  }));

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section ref={scroller} className={styles['log']} role="log" aria-live="off" aria-label="Messages" tabIndex={0} />
      <div ref={icons} hidden>
        <Copy />
        {levels.map((level) => (
          <LevelIcon key={level} level={level} />
        ))}
      </div>
    </>
  );
}
