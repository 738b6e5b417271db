import type { GuidanceTopic } from '@wirebench/contract/constants';
import { operatingSystem, phoneKind } from '@wirebench/port/browser-support';
import { heldByPhone } from '@wirebench/port/missing-board';
import type { ReactNode } from 'react';
import type { TabPorts } from '../../hardware/tab-ports.ts';
import { FailureCard, MainWayButton } from '../failure-card.tsx';
import { LinuxAllowance, SerialPrograms } from './port-holders.tsx';
import { useAsking, useHolders } from './use-holders.ts';

export interface PortBusyCardProps {
  readonly getTabPorts: () => TabPorts;
  /** USB ids of the port; null for a simulated board. */
  readonly info: SerialPortInfo | null;
  /** Label of the button in `actions` that connects again. */
  readonly again: string;
  /** Called after the other tab has released the board. */
  readonly onReleased: () => void;
  readonly actions: ReactNode;
  readonly dismiss: ReactNode;
  /** Guidance topic to link to; null for no link. */
  readonly topic?: GuidanceTopic | null;
  /** Further paragraphs: the state of the board. */
  readonly children?: ReactNode;
}

interface BusyStep {
  readonly title: string;
  readonly text: ReactNode;
}

const permission = {
  linux: {
    title: 'Check that this account may use serial ports',
    text: <LinuxAllowance />,
  },
  mac: {
    title: 'Check the driver',
    text: 'macOS includes drivers for CP210x, CH34x and FTDI. An older driver that was installed by hand can hold the port: remove it in System Settings, General, Login Items & Extensions.',
  },
  windows: {
    title: 'Check the driver',
    text: 'In Device Manager, the port must be listed under "Ports (COM & LPT)" without a warning sign. If it is not, install the driver of its bridge: CP210x, CH340 or FTDI.',
  },
  other: null,
} as const;

/** Ordered steps for a port that another program may hold or that the account may not open. */
function busySteps(): readonly BusyStep[] {
  if (phoneKind() !== null) {
    return [heldByPhone];
  }
  const system = permission[operatingSystem()];
  return [
    {
      title: 'Close other programs that use it',
      text: (
        <>
          Common ones: <SerialPrograms />.
        </>
      ),
    },
    ...(system === null ? [] : [system]),
  ];
}

/**
 * Says that another program or tab holds the port, or that the account may not open it. The browser does not report
 * the reason. The card can ask another tab of Wirebench to release the board.
 */
export function PortBusyCard({
  getTabPorts,
  info,
  again,
  onReleased,
  actions,
  dismiss,
  topic = null,
  children,
}: PortBusyCardProps) {
  const holders = useHolders(getTabPorts, info);
  const asking = useAsking(getTabPorts, holders?.[0], onReleased);
  if (asking !== null) {
    const { title, text, busy, ask } = asking;
    return (
      <FailureCard
        title={title}
        topic={topic}
        badge="Port busy"
        actions={
          <>
            <MainWayButton busy={busy} onPress={() => void ask()}>
              Ask the other tab to release it
            </MainWayButton>
            {dismiss}
          </>
        }
      >
        <p role="status">{text}</p>
        {children}
      </FailureCard>
    );
  }
  return (
    <FailureCard
      title="The port could not be opened"
      topic={topic}
      badge="Port busy"
      steps={[...busySteps(), { title: `Press ${again}` }]}
      actions={actions}
    >
      <p>
        Only one program at a time can open a port.{' '}
        {holders === null ? 'Asking the other Wirebench tabs…' : 'No other Wirebench tab is using it.'}
      </p>
      {children}
    </FailureCard>
  );
}
