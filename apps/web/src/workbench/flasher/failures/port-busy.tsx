import { useEffect, useState } from 'react';
import type { Holder, ReleaseOutcome } from '../../../hardware/roll-call.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FailureCard } from '../failure-card.tsx';
import { useFlash } from '../store/flasher-store.ts';
import { getRollCall } from '../store/other-tabs.ts';
import { BoardIsLeft, Dismiss, UsualActions } from './failure-parts.tsx';
import { type FailureProps, tryAgain } from './failure-props.ts';
import { operatingSystem } from './operating-system.ts';

const permission = {
  linux: {
    title: 'Check that this account may use serial ports',
    text: (
      <>
        <code>sudo usermod -aG dialout $USER</code> allows it (Arch Linux: <code>uucp</code> in place of{' '}
        <code>dialout</code>). Then sign out of the system and in again. A Chromium installed as a snap also needs{' '}
        <code>sudo snap connect chromium:raw-usb</code>.
      </>
    ),
  },
  mac: {
    title: 'Check the driver',
    text: 'macOS brings drivers for CP210x, CH34x and FTDI. An older one that was installed by hand can hold the port: remove it in System Settings, General, Login Items & Extensions.',
  },
  windows: {
    title: 'Check the driver',
    text: 'In Device Manager the port must stand under "Ports (COM & LPT)" without a warning sign. Else install the driver of its bridge: CP210x, CH340 or FTDI.',
  },
  other: null,
} as const;

/** Another program or tab holds the port, or the account may not open it: the browser does not tell which. */
export function PortBusy(props: FailureProps) {
  const holder = useHolder();
  const system = permission[operatingSystem()];
  if (holder !== null) {
    return <HeldByTab {...props} holder={holder} />;
  }
  return (
    <FailureCard
      title="The port could not be opened"
      topic={props.topic}
      badge="Port busy"
      steps={[
        {
          title: 'Close what else uses it',
          text: 'The Arduino IDE with its serial monitor, PlatformIO, idf.py monitor, PuTTY, screen, ModemManager, Cura or OctoPrint.',
        },
        ...(system === null ? [] : [system]),
        { title: 'Press Try again' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>A port is open in one program at a time. No other tab of Wirebench holds it.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

const answers = {
  'no-answer': 'The other tab did not answer. Close it, then try again.',
  kept: 'The other tab keeps it. Disconnect it there, then try again.',
} satisfies Record<Exclude<ReleaseOutcome, 'released'>, string>;

function HeldByTab({ holder, ...props }: FailureProps & { readonly holder: Holder }) {
  const [asking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<keyof typeof answers | null>(null);
  const ask = async () => {
    setAsking(true);
    const outcome = await getRollCall().askToRelease(holder);
    setAsking(false);
    if (outcome === 'released') {
      tryAgain(props);
    } else {
      setAnswer(outcome);
    }
  };
  return (
    <FailureCard
      title={`Another tab of Wirebench holds a board like this one, as ${holder.name}`}
      topic={props.topic}
      badge="Port busy"
      actions={
        <>
          <Button variant="primary" busy={asking} onClick={() => void ask()}>
            Ask the other tab to release it
          </Button>
          <Dismiss port={props.port} />
        </>
      }
    >
      <p role="status">
        {answer === null
          ? 'A board can be open in one tab at a time. When the other tab lets go of it, it is opened here.'
          : answers[answer]}
      </p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

/** Another tab that holds such a board; null until all had their time to answer. */
function useHolder(): Holder | null {
  const source = useFlash((flash) => flash.source);
  const known = useFlash(({ board }) => board?.port ?? null);
  const info = source?.kind === 'serial' ? source.place.info : known;
  const [holder, setHolder] = useState<Holder | null>(null);
  useEffect(() => {
    let wanted = true;
    const find = async () => {
      const [found = null] = info === null ? [] : await getRollCall().whoHolds(info);
      if (wanted) {
        setHolder(found);
      }
    };
    void find();
    return () => {
      wanted = false;
    };
  }, [info]);
  return holder;
}
