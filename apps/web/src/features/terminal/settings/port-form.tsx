/** Form for the settings of a port. Changes are stored at once, and an open port is reopened with them. */
import { describePortSettings, linesAtOpen, type PortSettings } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { applySettings, sameOnTheWire } from './apply-settings.ts';
import { BaudField } from './baud-field.tsx';
import { DecoderSelect } from './decoder-field.tsx';
import { FramingField } from './framing-field.tsx';
import styles from './port-pane.module.css';
import {
  changeFraming,
  changePortSettings,
  changeReconnect,
  renamePort,
  useTerminalSettings,
} from './settings-store.ts';
import { linesAtOpenText, longestName } from './terminal-settings.ts';

const loadFinder = () => import('./baud-panel.tsx');

export function PortForm({ port }: { readonly port: PortNumber }) {
  const { name, settings, framing, decoder, reconnect } = useTerminalSettings(({ ports }) => ports[port]);
  const decoderId = useId();
  const change = (values: Partial<PortSettings>) => {
    changePortSettings(port, values);
    void applySettings(port);
  };
  const findsRate = useTerminalSession((session) => session.findsRate);
  const finder = useLoaded(findsRate, loadFinder, () => changeTerminalSession({ findsRate: false }));
  const nameId = useId();
  const linesId = useId();
  const hintId = useId();
  return (
    <>
      <div className={styles['row']}>
        <label htmlFor={nameId} className="silk">
          Name
        </label>
        <TextInput
          id={nameId}
          value={name}
          placeholder={`Port ${port}`}
          maxLength={longestName}
          autoComplete="off"
          onChange={(event) => renamePort(port, event.currentTarget.value)}
        />
      </div>
      <BaudField
        baudRate={settings.baudRate}
        onChange={(baudRate) => change({ baudRate })}
        onType={(baudRate) => changePortSettings(port, { baudRate })}
        finds={findsRate}
        onFind={() => changeTerminalSession({ findsRate: !findsRate })}
      />
      {finder === null || !findsRate ? null : <finder.BaudPanel port={port} />}
      <div className={styles['row']}>
        <span className="silk">Data bits</span>
        <Segmented
          label="Data bits"
          value={settings.dataBits}
          options={[
            { value: 7, label: '7' },
            { value: 8, label: '8' },
          ]}
          onChange={(dataBits) => change({ dataBits })}
        />
      </div>
      <div className={styles['row']}>
        <span className="silk">Stop bits</span>
        <Segmented
          label="Stop bits"
          value={settings.stopBits}
          options={[
            { value: 1, label: '1' },
            { value: 2, label: '2' },
          ]}
          onChange={(stopBits) => change({ stopBits })}
        />
      </div>
      <div className={styles['row']}>
        <span className="silk">Parity</span>
        <Segmented
          label="Parity"
          value={settings.parity}
          options={[
            { value: 'none', label: 'None' },
            { value: 'even', label: 'Even' },
            { value: 'odd', label: 'Odd' },
          ]}
          onChange={(parity) => change({ parity })}
        />
      </div>
      <div className={styles['row']}>
        <span className="silk">Flow</span>
        <Segmented
          label="Flow control"
          value={settings.flowControl}
          options={[
            { value: 'none', label: 'None' },
            { value: 'hardware', label: 'RTS/CTS' },
          ]}
          onChange={(flowControl) => change({ flowControl })}
        />
      </div>
      <div className={styles['row']}>
        <label htmlFor={decoderId} className="silk">
          Frames
        </label>
        <DecoderSelect id={decoderId} port={port} />
      </div>
      {decoder === null ? <FramingField framing={framing} onChange={(next) => changeFraming(port, next)} /> : null}
      <div className={styles['row']}>
        <label htmlFor={linesId} className="silk">
          At open
        </label>
        <Select
          id={linesId}
          aria-describedby={hintId}
          value={settings.linesAtOpen ?? 'dtr'}
          onChange={(event) => {
            const chosen = linesAtOpen.find((value) => value === event.currentTarget.value);
            if (chosen !== undefined) {
              changePortSettings(port, { linesAtOpen: chosen });
            }
          }}
        >
          {linesAtOpen.map((value) => (
            <option key={value} value={value}>
              {linesAtOpenText[value]}
            </option>
          ))}
        </Select>
        <p id={hintId} className={`${styles['under']} ${styles['explanation']}`}>
          Control lines when the port opens. Drivers raise DTR first, so an Arduino Uno resets.
        </p>
      </div>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={reconnect}
          onChange={(event) => changeReconnect(port, event.currentTarget.checked)}
        />
        Reconnect automatically
      </label>
      <ApplyNow port={port} settings={settings} />
    </>
  );
}

interface ApplyNowProps {
  readonly port: PortNumber;
  readonly settings: PortSettings;
}

/** Offers to reopen the port with settings that it does not use yet, such as those of a failed change. */
function ApplyNow({ port, settings }: ApplyNowProps) {
  const opened = useBenchStatus(({ status }) => {
    const { state, settings: current } = status.ports[port];
    return state === 'connected' ? current : null;
  });
  if (opened === null || sameOnTheWire(opened, settings)) {
    return null;
  }
  return (
    <div className={styles['apply']} role="status">
      Port {port} is open at {describePortSettings(opened)}
      {opened.flowControl === 'hardware' ? ' with RTS/CTS' : ''}. The new settings apply when it reopens.
      <Button size="sm" onClick={() => void reportingFailure(port, getBench().call('reopen', port, settings))}>
        Reopen now
      </Button>
    </div>
  );
}
