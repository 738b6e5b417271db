import { defaultPortSettings } from '@wirebench/port';
import type { Right } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';
import { Keyboard, Plug, Unplug } from 'lucide-react';
import { useState } from 'react';
import { sharedSettings } from '../../protocol/shared-settings.ts';
import { Button, type ButtonProps } from '../../shared/ui/button.tsx';
import { getLive, toastError } from '../../workbench/live/live-line.ts';
import { useLive } from '../../workbench/live/live-store.ts';

interface RightButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly port: PortNumber;
  /** False: the request for a right is elsewhere on the page. */
  readonly asks?: boolean;
}

/** Next step with this port: ask for a right, use the port, or release it. Renders nothing without a next step. */
export function RightButton({ port, asks = true, ...look }: RightButtonProps) {
  const shared = useLive(({ tick }) => tick?.ports.find((one) => one.port === port));
  const live = useLive(({ tick }) => tick?.state === 'joined' && !tick.isHostAway);
  const using = useLive(({ tick }) => tick?.using.includes(port) ?? false);
  const [busy, setBusy] = useState(false);
  if (shared === undefined || !live) {
    return null;
  }
  const run = async (call: Promise<unknown>) => {
    setBusy(true);
    await toastError(call);
    setBusy(false);
  };
  if (using) {
    return (
      <Button
        {...look}
        variant="default"
        icon={<Unplug />}
        busy={busy}
        onClick={() => void run(getLive().call('giveBack', port))}
      >
        Give port {port} back
      </Button>
    );
  }
  if (shared.right !== 'use') {
    return !asks ? null : (
      <AskButton {...look} port={port} right={shared.right === 'watch' ? 'type' : 'use'} asked={shared.asked} />
    );
  }
  const others = shared.user !== null && !shared.isYours;
  const reason = !shared.present ? 'No board is plugged in.' : others ? `${shared.user} uses it.` : undefined;
  return (
    <Button
      {...look}
      icon={<Plug />}
      busy={busy}
      title={reason}
      aria-disabled={reason === undefined ? undefined : true}
      onClick={() => void run(getLive().call('use', port, sharedSettings(shared) ?? defaultPortSettings))}
    >
      Use port {port}
    </Button>
  );
}

interface AskButtonProps extends Omit<RightButtonProps, 'asks'> {
  readonly right: Right;
  readonly asked: Right | null;
}

function AskButton({ port, right, asked, ...look }: AskButtonProps) {
  const waiting = asked !== null;
  return (
    <Button
      {...look}
      // Typing comes first. To use a port is for the few who flash or reset its board, and a request that waits is done.
      variant={right === 'type' && !waiting ? look.variant : 'default'}
      icon={<Keyboard />}
      aria-disabled={waiting ? true : undefined}
      onClick={() => void toastError(getLive().call('ask', port, right))}
    >
      {waiting ? `Asked to ${asked}…` : right === 'type' ? 'Ask to type' : `Ask to use port ${port}`}
    </Button>
  );
}
