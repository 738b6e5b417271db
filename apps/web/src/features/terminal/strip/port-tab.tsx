import { Tabs } from '@base-ui/react/tabs';
import { systemClock } from '@wirebench/clock';
import { describePortSettings } from '@wirebench/port';
import type { PortNumber, PortState } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import { deviceName } from '../../../hardware/device-name.ts';
import type { DeviceFacts } from '../../../protocol/bench-protocol.ts';
import { rateText } from '../../../shared/format/bytes.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Led } from '../../../shared/ui/led.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { type BenchView, benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFlasherBoard } from '../../../workbench/flasher-boards.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { LedLight } from './led-light.ts';
import styles from './port-tab.module.css';

export const tabId = (port: PortNumber) => `port-tab-${port}`;

export interface PortTabProps {
  readonly port: PortNumber;
  readonly selected: boolean;
}

/**
 * Tab with a port's name, state and two traffic lights. The lights are hidden from screen readers. The settings pane
 * has the figures as text.
 */
export function PortTab({ port, selected }: PortTabProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const state = useBenchStatus((view) => view.status.ports[port].state);
  const fact = useBenchStatus((view) => portFact(view, port));
  const used = useBenchStatus((view) => view.users[port] !== null);
  const inFlasher = useFlasherBoard(port) !== null;
  const open = used || state === 'connected' || state === 'disconnecting';
  return (
    <Tabs.Tab
      value={port}
      id={tabId(port)}
      data-port={port}
      data-state={state}
      className={classNames(
        styles['tab'],
        selected && styles['selected'],
        state === 'disconnected' && !used && styles['off'],
      )}
    >
      <span aria-hidden={name === `Port ${port}`} className={styles['flag']}>
        <PortFlag port={port} off={!open && !selected} />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['fact']}>{inFlasher ? 'In the flasher' : fact}</span>
      </span>
      {open ? <Lights port={port} /> : null}
    </Tabs.Tab>
  );
}

function Lights({ port }: Pick<PortTabProps, 'port'>) {
  const received = useBenchStatus((view) => view.rates[port].received.now);
  const sent = useBenchStatus((view) => view.rates[port].sent.now);
  return (
    <span className={styles['lights']} aria-hidden="true">
      <span>
        <ActivityLed port={port} direction="received" />
        RX<em>{rateText(received)}</em>
      </span>
      <span>
        <ActivityLed port={port} direction="sent" />
        TX<em>{rateText(sent)}</em>
      </span>
    </span>
  );
}

interface ActivityLedProps extends Pick<PortTabProps, 'port'> {
  readonly direction: 'received' | 'sent';
}

/** Blinks in the port's colour when bytes are received or sent. */
function ActivityLed({ port, direction }: ActivityLedProps) {
  const [lit, setLit] = useState(false);
  useEffect(() => {
    const light = new LedLight(systemClock, setLit, matchMedia('(prefers-reduced-motion: reduce)').matches);
    let seen = benchStatus.tick.status.ports[port][direction];
    const end = benchStatus.onTick(({ status }) => {
      const bytes = status.ports[port][direction];
      if (bytes > seen) {
        light.signal();
      }
      seen = bytes;
    });
    return () => {
      end();
      light.dispose();
    };
  }, [port, direction]);
  return <Led tone={lit ? 'port' : 'off'} port={port} />;
}

const stateText = {
  disconnected: 'Not connected',
  connecting: 'Connecting…',
  disconnecting: 'Disconnecting…',
  reconnecting: 'Waiting for the board…',
} satisfies Record<Exclude<PortState, 'connected'>, string>;

const deviceNames: Partial<Record<DeviceFacts['kind'], string>> = { demo: 'Demo', remote: 'remote' };

/** Returns the second line of a tab: `115200 8N1 · CP210x`, the port's state, or the guest that uses it. */
function portFact({ status, users, devices, baudSearches }: BenchView, port: PortNumber): string {
  const user = users[port];
  if (user !== null) {
    return `used by ${user}`;
  }
  const search = baudSearches[port];
  if (search !== null) {
    return `Listening at ${search.rate} baud`;
  }
  const { state, settings, info } = status.ports[port];
  if (devices[port]?.kind === 'remote' && state === 'disconnected') {
    return devices[port].right === null ? 'Not shared' : devices[port].plugged ? 'Closed there' : 'No board there';
  }
  if (state !== 'connected' || settings === null) {
    return state === 'connected' ? '' : stateText[state];
  }
  const { kind = 'serial', isSimulated = false } = devices[port] ?? {};
  const device = (isSimulated ? 'remote Demo' : deviceNames[kind]) ?? deviceName(info ?? {});
  return `${describePortSettings(settings)} · ${device}`;
}
