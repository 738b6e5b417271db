import { Tabs } from '@base-ui/react/tabs';
import { type Clock, systemClock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { rateText } from '../../../shared/format/bytes.ts';
import { paintStep, untilStep } from '../../../shared/paint-step.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Led } from '../../../shared/ui/led.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { portName, terminalSettingsNow, useTerminalSettings } from '../settings/settings-store.ts';
import { usePortFact, useShowsTraffic } from './port-fact.ts';
import styles from './port-tab.module.css';
import { Sparkline } from './sparkline.tsx';

export const tabId = (port: PortNumber) => `port-tab-${port}`;

export interface PortTabProps {
  readonly port: PortNumber;
  /** Column of the strip, from 1. */
  readonly column: number;
  readonly selected: boolean;
  /** True: the port is not in use, so its tab is narrow and connects it. */
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
  const isLog = useBenchStatus((view) => view.devices[port]?.kind === 'log');
  const open = useShowsTraffic(port);
  const connects = free && canConnect;
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
        state === 'disconnected' && !open && !isLog && styles['off'],
      )}
      // The focus selects, and that moves tabs: the pointer must be released over the tab that it has pressed.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) => {
        currentTarget.focus({ focusVisible: false });
        if (connects) {
          connect(port);
        } else if (selected) {
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

/** Length of a blink, in milliseconds: `--dur-blink` of the design. */
const blinkDuration = 300;
/** Dark time between two blinks, in milliseconds. Limits the rate to 2.5 blinks a second. */
const gapDuration = 100;

/**
 * Blink logic of a traffic light. A blink lasts 0.3 s, and steady traffic causes at most three blinks a second, to
 * avoid strobing.
 */
export class LedLight {
  readonly #clock: Clock;
  readonly #onChange: (lit: boolean) => void;
  readonly #steady: boolean;
  #phase: 'dark' | 'due' | 'lit' | 'gap' = 'dark';
  /** True: traffic arrived during a blink or the gap after it. */
  #again = false;
  #cancel: (() => void) | undefined;

  /** @param steady True: stay lit during traffic instead of blinking, for users who prefer reduced motion. */
  constructor(clock: Clock, onChange: (lit: boolean) => void, steady = false) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#steady = steady;
  }

  /** Reports traffic. */
  signal(): void {
    if (this.#phase === 'dark') {
      this.#phase = 'due';
      this.#cancel = this.#clock.schedule(untilStep(this.#clock.now(), 0), () => this.#blink());
    } else if (this.#phase !== 'due') {
      this.#again = true;
    }
  }

  dispose(): void {
    this.#cancel?.();
  }

  #blink(): void {
    this.#phase = 'lit';
    this.#onChange(true);
    this.#keepLit();
  }

  #keepLit(): void {
    this.#again = false;
    this.#after(blinkDuration, () => {
      if (this.#steady && this.#again) {
        this.#keepLit();
        return;
      }
      this.#phase = 'gap';
      this.#onChange(false);
      this.#after(gapDuration, () => this.#afterGap());
    });
  }

  /** Schedules `then` at a shared paint step, so that eight lights need no more frames than one. */
  #after(delay: number, then: () => void): void {
    this.#cancel = this.#clock.schedule(untilStep(this.#clock.now(), delay - paintStep / 2), then);
  }

  #afterGap(): void {
    if (this.#again) {
      this.#blink();
    } else {
      this.#phase = 'dark';
    }
  }
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
