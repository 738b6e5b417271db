/** The Screens that are shown: of the selected port, or side by side where the console is split by port. */
import '@xterm/xterm/css/xterm.css';
import { classNames } from '../../../shared/ui/class-names.ts';
import type { LogName } from '../console/log-lines.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { ScreenPane } from './screen-pane.tsx';
import styles from './screen-view.module.css';

export { ScreenFindField } from './screen-find-field.tsx';
export { ScreenKeyRow } from './screen-key-row.tsx';

export function ScreenView({ names }: { readonly names: readonly LogName[] }) {
  const selected = useTerminalSession((session) => session.selectedPort);
  const panes = names.filter((name) => name !== 'all');
  const ports = panes.length > 1 ? panes : [selected];
  return (
    <div className={classNames(styles['view'], ports.length > 1 && styles['several'])}>
      {ports.map((port) => (
        <ScreenPane key={port} port={port} isSelected={port === selected} />
      ))}
    </div>
  );
}
