import { describePortSettings, type PortNumber, type PortState } from '@wirebench/serial';
import { deviceName } from '../../../hardware/device-name.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { type BenchView, useBenchStatus } from '../../../workbench/bench-status.ts';
import { rate } from '../amounts.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { ActivityLed } from './activity-led.tsx';
import styles from './port-tab.module.css';

export const tabId = (port: PortNumber) => `port-tab-${port}`;

export interface PortTabProps {
  readonly port: PortNumber;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

/** A port's name, what it is doing, and its two lights; these are for the eye only, the settings pane says it in words. */
export function PortTab({ port, selected, onSelect }: PortTabProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const state = useBenchStatus((view) => view.status.ports[port].state);
  const fact = useBenchStatus((view) => portFact(view, port));
  const open = state === 'connected' || state === 'disconnecting';
  return (
    <button
      type="button"
      role="tab"
      id={tabId(port)}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      data-port={port}
      data-state={state}
      className={classNames(styles['tab'], selected && styles['selected'], state === 'disconnected' && styles['off'])}
      onClick={onSelect}
    >
      <span aria-hidden={name === `Port ${port}`} className={styles['flag']}>
        <PortFlag port={port} off={!open && !selected} />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['fact']}>{fact}</span>
      </span>
      {open ? <Lights port={port} /> : null}
    </button>
  );
}

function Lights({ port }: Pick<PortTabProps, 'port'>) {
  const received = useBenchStatus((view) => view.rates[port].received.now);
  const sent = useBenchStatus((view) => view.rates[port].sent.now);
  return (
    <span className={styles['lights']} aria-hidden="true">
      <span>
        <ActivityLed port={port} direction="received" />
        RX<em>{rate(received)}</em>
      </span>
      <span>
        <ActivityLed port={port} direction="sent" />
        TX<em>{rate(sent)}</em>
      </span>
    </span>
  );
}

const stateText = {
  disconnected: 'Not connected',
  connecting: 'Connecting…',
  disconnecting: 'Disconnecting…',
  reconnecting: 'Waiting for the board…',
} satisfies Record<Exclude<PortState, 'connected'>, string>;

/** `115200 8N1 · CP210x`, or what the port is doing. */
function portFact({ status, devices, baudSearches }: BenchView, port: PortNumber): string {
  const search = baudSearches[port];
  if (search !== null) {
    return `Listening at ${search.rate} baud`;
  }
  const { state, settings, info } = status.ports[port];
  if (state !== 'connected' || settings === null) {
    return state === 'connected' ? '' : stateText[state];
  }
  const device = devices[port]?.kind === 'demo' ? 'Demo' : deviceName(info ?? {});
  return `${describePortSettings(settings)} · ${device}`;
}
