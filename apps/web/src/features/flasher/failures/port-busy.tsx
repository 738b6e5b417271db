import type { PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { getLive, toastError } from '../../../workbench/live/live-line.ts';
import { useLive } from '../../../workbench/live/live-store.ts';
import { PortBusyCard } from '../../../workbench/remedies/port-busy-card.tsx';
import { TakeBackButton } from '../../../workbench/sharing/used-port.tsx';
import { useFlash } from '../store/flasher-store.ts';
import { getTabPorts } from '../store/flasher-tab-ports.ts';
import { BoardIsLeft, Dismiss, UsualActions } from './failure-parts.tsx';
import { type FailureProps, tryAgain } from './failure-props.ts';

export function PortBusy(props: FailureProps) {
  const user = useBenchStatus(({ users }) => users[props.port]);
  const [guest, setGuest] = useState(user);
  const source = useFlash((flash) => flash.source);
  if (source?.kind === 'remote') {
    return <HeldThere {...props} shared={source.port} />;
  }
  if (user !== null && user !== guest) {
    setGuest(user);
  }
  return guest === null ? (
    <HeldElsewhere {...props} />
  ) : (
    <UsedByGuest {...props} guest={guest} isUsed={user !== null} />
  );
}

interface HeldThereProps extends FailureProps {
  /** Number of the port on the shared bench. */
  readonly shared: number;
}

/** Shown if a shared board is in use on its own bench: nothing on this computer can help. */
function HeldThere({ shared: number, ...props }: HeldThereProps) {
  const host = useLive(({ tick }) => tick?.host ?? '') || 'Whoever shares the board';
  const shared = useLive(({ tick }) => tick?.ports.find(({ port }) => port === number));
  const guest = shared === undefined || shared.isYours ? null : shared.user;
  const isAsked = shared?.asked === 'use';
  return (
    <FailureCard
      title={`${guest ?? host} has this board`}
      badge="In use there"
      actions={
        <>
          {guest === null ? (
            <Button
              aria-disabled={isAsked || undefined}
              onClick={() => void toastError(getLive().call('ask', number as PortNumber, 'use'))}
            >
              {isAsked ? 'Asked…' : 'Ask for the board'}
            </Button>
          ) : null}
          <UsualActions {...props} />
        </>
      }
    >
      <p role="status">
        {guest === null
          ? `It is open where it is plugged in, for example in the flasher there. ${host} sees your request and can disconnect it there. Then try again.`
          : `Only one person at a time can use a shared board. Try again when ${guest} does not use it any more.`}
      </p>
    </FailureCard>
  );
}

interface UsedByGuestProps extends FailureProps {
  /** Name of the guest who has the port, or had it last. */
  readonly guest: string;
  readonly isUsed: boolean;
}

/** Shown if a guest of the shared bench has, or had, the port. */
function UsedByGuest({ guest, isUsed, ...props }: UsedByGuestProps) {
  return (
    <FailureCard
      title={`${guest} uses this board`}
      badge="Used by a guest"
      actions={
        isUsed ? (
          <>
            <TakeBackButton port={props.port} user={guest} size="md" />
            <Dismiss port={props.port} />
          </>
        ) : (
          <UsualActions {...props} />
        )
      }
    >
      <p role="status">
        {isUsed
          ? 'Only one person at a time can use a shared board. Take it back, then try again.'
          : `${guest} does not use it any more. Try again.`}
      </p>
    </FailureCard>
  );
}

/** Shown if another program or tab holds the port, or if the account may not open it. */
function HeldElsewhere(props: FailureProps) {
  const source = useFlash((flash) => flash.source);
  const known = useFlash(({ board }) => board?.port ?? null);
  return (
    <PortBusyCard
      getTabPorts={getTabPorts}
      info={source?.kind === 'serial' ? source.place.info : known}
      again="Try again"
      onReleased={() => tryAgain(props)}
      actions={<UsualActions {...props} />}
      dismiss={<Dismiss port={props.port} />}
      topic={props.topic}
    >
      <BoardIsLeft failure={props.failure} />
    </PortBusyCard>
  );
}
