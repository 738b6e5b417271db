/** Form for the settings of a port. Changes are stored at once, and an open port is reopened with them. */
import { describePortSettings, type LinesAtOpen, type PortSettings } from '@wirebench/port';
import { portFields } from '@wirebench/port/port-fields';
import type { FramingOption, PortNumber } from '@wirebench/serial';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
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
import { OptionRow } from './option-row.tsx';
import styles from './port-pane.module.css';
import { changePort, changePortSettings, useTerminalSettings } from './settings-store.ts';
import { longestName, portSettingNames, portSettings } from './terminal-settings.ts';

const { linesAtOpen, ...wireFields } = portFields;

const loadFinder = () => import('./baud-panel.tsx');

export function PortForm({ port }: { readonly port: PortNumber }) {
  const preferences = useTerminalSettings(({ ports }) => ports[port]);
  const { name, settings, framing, decoder } = preferences;
  const decoderId = useId();
  const change = (values: Partial<PortSettings>) => {
    changePortSettings(port, values);
    void applySettings(port);
  };
  const findsRate = useTerminalSession((session) => session.findsRate);
  const finder = useLoaded(findsRate, loadFinder, () => changeTerminalSession({ findsRate: false }));
  const nameId = useId();
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
          onChange={(event) => changePort(port, { name: event.currentTarget.value })}
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
      {Object.entries(wireFields).map(([option, field]) => (
        <OptionRow
          key={option}
          field={field}
          value={settings[option as keyof typeof wireFields]}
          onChange={(value) => change({ [option]: value })}
        />
      ))}
      <div className={styles['row']}>
        <label htmlFor={decoderId} className="silk">
          Frames
        </label>
        <DecoderSelect id={decoderId} port={port} />
      </div>
      {decoder === null ? (
        <FramingField framing={framing} onChange={(next) => changePort(port, { framing: next })} />
      ) : null}
      <OptionRow
        field={linesAtOpen}
        value={settings.linesAtOpen ?? 'dtr'}
        onChange={(value) => changePortSettings(port, { linesAtOpen: value as LinesAtOpen })}
      />
      {portSettingNames.map((option) => {
        const { field } = portSettings[option];
        return field === undefined ? null : (
          <OptionRow
            key={option}
            field={field}
            value={preferences[option] as FramingOption}
            onChange={(value) => changePort(port, { [option]: value })}
          />
        );
      })}
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
