import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, BookOpen, X } from 'lucide-react';
import { toggleQuickGuide } from '../../../shared/quick-guide.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Drawer } from '../drawer.tsx';
import { keyCap, shortcuts } from '../shortcuts.ts';
import styles from './quick-guide.module.css';

/** Text of the quick guide: connecting, sending, panels, tools and shortcuts. */
function QuickGuideText() {
  return (
    <div className={styles['text']}>
      <h3>Connect</h3>
      <p>
        Press Connect, or the number of a free port, and pick the board in the browser dialog. The arrow beside it
        offers boards you have used before, and a demo board. The line under a port’s name opens its settings.
      </p>
      <h3>Send</h3>
      <p>
        Enter sends to the port whose flag is in the field, each Send button to its own. <Kbd>↑</Kbd> brings back what
        you sent, <Kbd>Ctrl+R</Kbd> searches it, <Kbd>Esc</Kbd> leaves the field. Keys typed in the log go to the field.
      </p>
      <h3>Panels</h3>
      <p>
        Keep commands: type one in a panel, or press the pin in the send field. Choose the panel’s target, then click a
        command to send it. <Kbd>F1</Kbd> to <Kbd>F4</Kbd> and <Kbd>F8</Kbd> to <Kbd>F10</Kbd> send those of the
        selected port. Run sends them in order; a command can wait for an answer before the next.
      </p>
      <h3>Tools</h3>
      <p>
        Tools above the log lists everything, with what is there: plot, statistics, crashes, frames, rules, the files of
        the board, and files to send or receive. What you open is a tab beside the log. Drop your firmware’s ELF file on
        the page to turn crash addresses into functions, files and lines. The settings of a port find its baud rate.
      </p>
      <h3>Keyboard shortcuts, while you are not typing</h3>
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
  );
}

/** The quick guide in a drawer over the log, with a link to the documentation. */
export function QuickGuideDrawer() {
  return (
    <Drawer label="Quick guide" place="guide" closeKey="?" onClose={toggleQuickGuide}>
      <h2 className={styles['head']}>
        Quick guide
        <IconButton label="Close the quick guide" variant="quiet" size="sm" icon={<X />} onClick={toggleQuickGuide} />
      </h2>
      <QuickGuideText />
      {/* Opens in a new tab, because leaving this page closes the ports and loses the log. */}
      <a className={styles['documentation']} href={pagePaths.uartDocs} target="_blank" rel="noreferrer">
        <BookOpen />
        Documentation <span className="visually-hidden">(opens in a new tab)</span>
        <ArrowUpRight />
      </a>
    </Drawer>
  );
}
