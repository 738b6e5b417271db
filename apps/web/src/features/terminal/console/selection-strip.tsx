import { portNumbers } from '@wirebench/serial';
import { Copy } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from '../../../workbench/strip.module.css';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';
import type { LogName } from './log-lines.ts';
import type { ConsoleLogs } from './use-console-logs.ts';

export interface SelectionStripProps {
  readonly logs: ConsoleLogs;
  readonly name: LogName;
}

const portNames = () => Object.fromEntries(portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)]));

/** Strip for the selection: buttons to copy or save it without a keyboard, or to clear it. */
export function SelectionStrip({ logs, name }: SelectionStripProps) {
  const selected = logs.selected(name);
  if (selected === null) {
    return null;
  }
  return (
    <div className={classNames('row', styles['strip'], styles['paused'])} role="status">
      <Copy />
      <span>
        {selected === 'rows' ? (
          <>
            <b>Lines are selected.</b> Choose another line to extend the selection to it.
          </>
        ) : (
          <>
            <b>Text is selected.</b> Shift+click extends the selection.
          </>
        )}
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={() => logs.copySelected(name)}>
          Copy
        </Button>
        <Button size="sm" onClick={() => logs.copySelected(name, { times: true, portNames: portNames() })}>
          Copy with times
        </Button>
        <Button size="sm" onClick={() => logs.saveSelected(name)}>
          Save
        </Button>
        <Button size="sm" variant="quiet" onClick={() => logs.clearSelected(name)}>
          Cancel
        </Button>
      </span>
    </div>
  );
}
