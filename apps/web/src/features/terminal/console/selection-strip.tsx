import { Copy } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from '../../../workbench/strip.module.css';
import type { LogName } from './log-lines.ts';
import type { ConsoleLogs } from './use-console-logs.ts';

export interface SelectionStripProps {
  readonly logs: ConsoleLogs;
  readonly name: LogName;
}

/** Strip for selected lines: buttons to copy them without a keyboard, or to clear the selection. */
export function SelectionStrip({ logs, name }: SelectionStripProps) {
  if (!logs.selected(name)) {
    return null;
  }
  return (
    <div className={classNames('row', styles['strip'], styles['paused'])} role="status">
      <Copy />
      <span>
        <b>Lines are selected.</b> Choose another line to extend the selection to it.
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={() => logs.copySelected(name)}>
          Copy lines
        </Button>
        <Button size="sm" variant="quiet" onClick={() => logs.clearSelected(name)}>
          Cancel
        </Button>
      </span>
    </div>
  );
}
