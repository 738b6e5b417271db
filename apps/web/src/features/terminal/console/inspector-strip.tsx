import { X } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import styles from './inspector-strip.module.css';
import { inspectorValues } from './inspector-values.ts';
import type { LogName } from './log-lines.ts';
import type { ConsoleLogs } from './use-console-logs.ts';

export interface InspectorStripProps {
  readonly logs: ConsoleLogs;
  readonly name: LogName;
}

/** Shows the bytes selected in the hex display as text and as numbers. */
export function InspectorStrip({ logs, name }: InspectorStripProps) {
  const inspected = logs.inspected(name);
  if (inspected === null) {
    return null;
  }
  const close = () => {
    document.getSelection()?.removeAllRanges();
    logs.clearSelected(name);
  };
  return (
    <section className={styles['strip']} aria-label="Inspector">
      {/* Focusable, so that the keyboard can scroll it. */}
      <dl className={styles['values']} tabIndex={0}>
        {inspectorValues(inspected).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <IconButton label="Close the inspector" variant="quiet" size="sm" icon={<X />} onClick={close} />
    </section>
  );
}
