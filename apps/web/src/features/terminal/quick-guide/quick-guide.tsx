import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, BookOpen, CircleHelp } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { keyCap, shortcuts } from '../shortcuts.ts';
import styles from './quick-guide.module.css';
import { toggleQuickGuide, useQuickGuide } from './quick-guide-store.ts';

/** The terminal in a few lines, at the foot of the settings, and the way to its whole documentation. */
export function QuickGuide() {
  const open = useQuickGuide();
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) {
      section.current?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [open]);
  return (
    <section ref={section} className={styles['guide']}>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-keyshortcuts="?"
        onClick={toggleQuickGuide}
      >
        <CircleHelp />
        Quick guide
        <Kbd>?</Kbd>
      </button>
      {open ? (
        <div id={id} className={styles['text']}>
          <h3>Connect</h3>
          <p>
            Press Connect on a port and pick the board in the browser dialog. The arrow beside it offers boards that
            were allowed before, and a demo device.
          </p>
          <h3>Send</h3>
          <p>
            Enter sends to the selected port, each Send button to its own. <Kbd>↑</Kbd> brings back what was sent.
          </p>
          <h3>Device panels</h3>
          <p>
            Pin what you send often: type it in a panel, or press Pin below the log. Choose the target port of the
            panel, then press a message to send it. Run all sends them in order; a message can wait for an answer before
            the next.
          </p>
          <h3>Tools</h3>
          <p>
            Tools above the log opens a plot of the numbers that come, the crash inspector, statistics and the baud
            finder. Drop the ELF file of your firmware on the page: addresses of a crash become functions, files and
            lines.
          </p>
          <h3>Keys, while you are not typing</h3>
          <dl>
            {Object.values(shortcuts).map(({ keys, what }) => (
              <div key={keys}>
                <dt>
                  <Kbd>{keyCap(keys)}</Kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      ) : null}
      {/* In another tab: this one holds ports and lines. */}
      <a className={styles['toggle']} href={pagePaths.uartDocs} target="_blank" rel="noreferrer">
        <BookOpen />
        Documentation <span className="visually-hidden">(opens in a new tab)</span>
        <ArrowUpRight />
      </a>
    </section>
  );
}
