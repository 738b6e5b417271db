import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { ReactNode } from 'react';
import type { TabPorts } from '../../hardware/tab-ports.ts';
import { FailureCard, MainWayButton } from '../failure-card.tsx';
import { busySteps } from './busy-steps.tsx';
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
