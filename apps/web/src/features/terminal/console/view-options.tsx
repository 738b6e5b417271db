/** Display options of the log: times, rows, marks, layout, ports and memory. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type ReactNode, useId } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { changeFind, useFind } from '../../../workbench/console/find/find-store.ts';
import { timeLabels, timeModes } from '../../../workbench/console/row-times.ts';
import { changeSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { bufferSizes } from '../settings/terminal-settings.ts';
import { portsOf, withPorts } from './find-ports.ts';
import { usedPorts } from './log-lines.ts';
import styles from './view-options.module.css';

export function ViewOptions() {
  const settings = useTerminalSettings((all) => all);
  const memoryId = useId();
  return (
    <div className={styles['options']}>
      <div className={styles['section']}>
        <Row label="Times">
          <Segmented
            label="Times"
            value={settings.times}
            options={timeModes.map((value) => ({ value, label: timeLabels[value] }))}
            onChange={(times) => changeSettings({ times })}
          />
        </Row>
        <Row label="Rows">
          <Segmented
            label="Rows"
            value={settings.rowHeight}
            options={[
              { value: 25, label: 'Roomy' },
              { value: 20, label: 'Compact' },
            ]}
            onChange={(rowHeight) => changeSettings({ rowHeight })}
          />
        </Row>
      </div>
      <div className={`${styles['section']} ${styles['checks']}`}>
        <Check label="Direction marks" checked={settings.marks} onChange={(marks) => changeSettings({ marks })} />
        <Check label="Wrap lines" checked={settings.wrap} onChange={(wrap) => changeSettings({ wrap })} />
        <Check label="Line endings" checked={settings.lineEnds} onChange={(lineEnds) => changeSettings({ lineEnds })} />
        <Check
          label="Control bytes"
          checked={settings.controls}
          onChange={(controls) => changeSettings({ controls })}
        />
        <Check label="Show echoes" checked={settings.echoes} onChange={(echoes) => changeSettings({ echoes })} />
      </div>
      <div className={styles['section']}>
        <Row label="Layout">
          <Segmented
            label="Layout"
            value={settings.view}
            options={[
              { value: 'merged', label: 'One time line' },
              { value: 'split', label: 'Split by port' },
            ]}
            onChange={(view) => changeSettings({ view })}
          />
        </Row>
        <PortChoice />
        <Row label="Memory" htmlFor={memoryId}>
          <Select
            id={memoryId}
            value={settings.bufferSize}
            onChange={(event) => {
              const chosen = bufferSizes.find((size) => String(size) === event.currentTarget.value);
              if (chosen !== undefined) {
                changeSettings({ bufferSize: chosen });
              }
            }}
          >
            {bufferSizes.map((size) => (
              <option key={size} value={size}>
                Keep {memoryText(size << 20)} per port
              </option>
            ))}
          </Select>
        </Row>
      </div>
      <p className={styles['foot']}>
        Stays open while you try. <Kbd>Esc</Kbd> closes.
      </p>
    </div>
  );
}

interface RowProps {
  readonly label: string;
  readonly htmlFor?: string;
  readonly children: ReactNode;
}

function Row({ label, htmlFor, children }: RowProps) {
  return (
    <div className={styles['row']}>
      {htmlFor === undefined ? (
        <span className="silk">{label}</span>
      ) : (
        <label className="silk" htmlFor={htmlFor}>
          {label}
        </label>
      )}
      {children}
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

/** Selects the ports whose lines are shown. The selection is written into the find field as `port:1,2`. */
function PortChoice() {
  const settings = useTerminalSettings((all) => all);
  const text = useFind((find) => find.text);
  const used = useBenchStatus((view) => usedPorts(view).join());
  const ports = portNumbers.filter((port) => used.includes(String(port)));
  const shown = portsOf(text);
  if (ports.length < 2 && shown.length === portNumbers.length) {
    return null;
  }
  const show = (chosen: readonly PortNumber[]) => changeFind({ text: withPorts(text, chosen) });
  const toggled = (port: PortNumber) =>
    shown.includes(port) ? shown.filter((other) => other !== port) : [...shown, port];
  return (
    <Row label="Ports">
      <div className={styles['ports']}>
        {ports.map((port) => (
          <Button
            key={port}
            size="sm"
            pressed={shown.includes(port)}
            aria-label={`Show ${portName(settings, port)}`}
            // Deselecting the last port shows all ports again.
            onClick={() => show(toggled(port))}
          >
            <PortFlag port={port} />
          </Button>
        ))}
        {ports.map((port) => (
          <Button key={`only-${port}`} size="sm" variant="quiet" onClick={() => show([port])}>
            Only {portName(settings, port)}
          </Button>
        ))}
        <Button size="sm" variant="quiet" onClick={() => show(portNumbers)}>
          All ports
        </Button>
      </div>
    </Row>
  );
}
