import { Tabs } from '@base-ui/react/tabs';
import { systemClock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useRef, useState } from 'react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { rateText } from '../../../shared/format/bytes.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Led } from '../../../shared/ui/led.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { portName, terminalSettingsNow, useTerminalSettings } from '../settings/settings-store.ts';
import { LedLight } from './led-light.ts';
import { usePortFact } from './port-fact.ts';
import styles from './port-tab.module.css';
import { Sparkline } from './sparkline.tsx';

export const tabId = (port: PortNumber) => `port-tab-${port}`;

export interface PortTabProps {
  readonly port: PortNumber;
  /** Column of the strip, from 1. */
  readonly column: number;
  readonly selected: boolean;
  /** True: the port is not in use, so its tab is slim and connects it. */
  readonly free: boolean;
  /** False: the ports belong to the host of a shared bench. */
  readonly canConnect: boolean;
  /** Called for a click on the tab while it is selected. */
  readonly onSettings: () => void;
}

/**
 * Tab with a port's name, state and traffic. Lights and curve are hidden from screen readers: the statistics have the
 * figures as text. The state is hidden visually, because the settings button over the tab shows it.
 */
export function PortTab({ port, column, selected, free, canConnect, onSettings }: PortTabProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const state = useBenchStatus((view) => view.status.ports[port].state);
  const fact = usePortFact(port);
  const used = useBenchStatus((view) => view.users[port] !== null);
  const isLog = useBenchStatus((view) => view.devices[port]?.kind === 'log');
  const open = used || state === 'connected' || state === 'disconnecting';
  const connects = free && canConnect;
  // The press itself selects the tab, before its click arrives.
  const wasSelected = useRef(selected);
  return (
    <Tabs.Tab
      value={port}
      id={tabId(port)}
      data-port={port}
      data-state={state}
      style={{ gridColumn: column }}
      title={connects ? `Connect ${name === `Port ${port}` ? `port ${port}` : name}` : undefined}
      className={classNames(
        styles['tab'],
        selected && styles['selected'],
        free && styles['free'],
        state === 'disconnected' && !used && !isLog && styles['off'],
      )}
      onPointerDown={() => {
        wasSelected.current = selected;
      }}
      onClick={({ detail }) => {
        const isPressedByKey = detail === 0;
        if (connects) {
          connect(port);
        } else if (isPressedByKey ? selected : wasSelected.current) {
          onSettings();
        }
      }}
    >
      <span aria-hidden={name === `Port ${port}`} className={styles['flag']}>
        {free ? <DashedFlag port={port} /> : <PortFlag port={port} off={!open && !isLog && !selected} />}
      </span>
      <span className={styles['words']}>
        <span className={styles['name']}>{name}</span>
        <span className="visually-hidden">{fact}</span>
      </span>
      {open && !free ? (
        <>
          <Sparkline port={port} />
          <Lights port={port} />
        </>
      ) : null}
    </Tabs.Tab>
  );
}

/** Connects a free port from the click on its tab: with the browser's dialog, or a demo device without Web Serial. */
function connect(port: PortNumber): void {
  const { settings } = terminalSettingsNow().ports[port];
  void (serialSupport() === 'ready' ? connectPicked(port, settings) : connectSource(port, { kind: 'demo' }, settings));
}

/** Flag of a free port: only its outline. */
function DashedFlag({ port }: Pick<PortTabProps, 'port'>) {
  return (
    <svg
      className={styles['dashed']}
      viewBox="0 0 27 21"
      fill="none"
      stroke="currentColor"
      role="img"
      aria-label={`Port ${port}`}
    >
      <path d="M2.5 1.5H18.5L25.5 10.5L18.5 19.5H2.5Z" strokeWidth="1.2" strokeDasharray="2.6 2.2" />
      <text x="10.5" y="15" textAnchor="middle" fill="currentColor" stroke="none">
        {port}
      </text>
    </svg>
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
