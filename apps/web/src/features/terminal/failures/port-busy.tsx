import type { PortNumber } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import type { Holder, ReleaseOutcome } from '../../../hardware/roll-call.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { PortSource } from '../../../workbench/bench-protocol.ts';
import { type ConnectFailure, setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';
import { LinuxPermission } from './linux-permission.tsx';
import { getRollCall } from './other-tabs.ts';
import { onLinux } from './platform.ts';

export interface PortFailureProps {
  readonly port: PortNumber;
  readonly failure: ConnectFailure;
}

/** Something else holds the board: another tab of Wirebench, which can be asked, or another program, which cannot. */
export function PortBusy({ port, failure }: PortFailureProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const holders = useHolders(failure.source);
  const again = () => {
    if (failure.source !== null) {
      void connectSource(port, failure.source, failure.settings);
    }
  };
  const dismiss = () => setConnectFailure(port, null);
  const holder = holders?.[0];
  if (holder !== undefined) {
    return <HeldByTab port={port} holder={holder} onReleased={again} onDismiss={dismiss} />;
  }
  return (
    <FailureStrip
      port={port}
      topic="port-access-denied"
      title={
        holders === null
          ? `The board of ${name} could not be opened. Asking the other tabs…`
          : `The board of ${name} could not be opened. No other tab of Wirebench holds it.`
      }
      actions={
        <Button size="sm" onClick={again}>
          Try again
        </Button>
      }
      onDismiss={dismiss}
    >
      <p>
        Another program may hold it. Close the one that uses it, then try again. Usual ones: the Arduino IDE with its
        serial monitor, PlatformIO monitor, <code>idf.py monitor</code>, PuTTY, <code>screen</code>, ModemManager, Cura
        or OctoPrint.
      </p>
      {onLinux() ? <LinuxPermission /> : null}
    </FailureStrip>
  );
}

interface HeldByTabProps {
  readonly port: PortNumber;
  readonly holder: Holder;
  readonly onReleased: () => void;
  readonly onDismiss: () => void;
}

const answers = {
  'no-answer': 'The other tab did not answer. Close it, then connect again.',
  kept: 'The other tab keeps it. Disconnect it there, then connect again.',
} satisfies Record<Exclude<ReleaseOutcome, 'released'>, string>;

function HeldByTab({ port, holder, onReleased, onDismiss }: HeldByTabProps) {
  const [asking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<keyof typeof answers | null>(null);
  const ask = async () => {
    setAsking(true);
    const outcome = await getRollCall().askToRelease(holder);
    setAsking(false);
    if (outcome === 'released') {
      onReleased();
    } else {
      setAnswer(outcome);
    }
  };
  return (
    <FailureStrip
      port={port}
      title={`Another tab of Wirebench holds a board like this one, as ${holder.name}.`}
      actions={
        <Button size="sm" busy={asking} onClick={() => void ask()}>
          Ask the other tab to release it
        </Button>
      }
      onDismiss={onDismiss}
    >
      <p role="status">
        {answer === null
          ? 'A board can be open in one tab at a time. When the other tab lets go of it, it is opened here.'
          : answers[answer]}
      </p>
    </FailureStrip>
  );
}

/** Null until all tabs had their time to answer. */
function useHolders(source: PortSource | null): readonly Holder[] | null {
  const [holders, setHolders] = useState<readonly Holder[] | null>(null);
  useEffect(() => {
    let wanted = true;
    const find = async () => {
      const found = source?.kind === 'serial' ? await getRollCall().whoHolds(source.place.info) : [];
      if (wanted) {
        setHolders(found);
      }
    };
    void find();
    return () => {
      wanted = false;
    };
  }, [source]);
  return holders;
}
