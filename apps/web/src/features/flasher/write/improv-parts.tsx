/** The offers of the set-up of Wi-Fi, and its dialog. Fetched when a board has answered Improv. */
import type { PortNumber } from '@wirebench/serial';
import { ExternalLink, Wifi } from 'lucide-react';
import { useEffect } from 'react';
import { useImprovOffer } from '../../../workbench/improv/improv-offer.ts';
import { openImprov } from '../../../workbench/improv/improv-open.ts';
import { ImprovSlot } from '../../../workbench/improv/improv-slot.tsx';
import { useFlasher } from '../store/flasher-store.ts';
import { offerNextStep } from '../store/next-step.ts';

interface ImprovPartsProps {
  /** Ports whose board has answered. */
  readonly heard: readonly PortNumber[];
}

/** Offers the set-up of a board's Wi-Fi as the next step after a write, and afterwards the board's page. */

interface ImprovStepProps {
  readonly port: PortNumber;
}

/** Draws nothing: the answer shows what is offered. */
export function ImprovStep({ port }: ImprovStepProps) {
  const { state, network, address, isDeclined } = useImprovOffer(port);
  const isDone = useFlasher(({ flashes }) => flashes[port].phase === 'done');
  useEffect(() => {
    if (!isDone) {
      return undefined;
    }
    if (state === 'unconnected' && !isDeclined) {
      offerNextStep(port, {
        label: 'Set up Wi-Fi',
        icon: <Wifi />,
        text: 'It has no network yet: it can be put on your Wi-Fi from here.',
        onPress: () => openImprov(port, true),
      });
    } else if (state === 'connected' && address !== null) {
      offerNextStep(port, {
        label: 'Open its page',
        icon: <ExternalLink />,
        text: `It is on ${network === '' ? 'a network' : network} as ${new URL(address).host}.`,
        onPress: () => void window.open(address, '_blank', 'noopener,noreferrer'),
      });
    }
    return () => offerNextStep(port, null);
  }, [port, isDone, state, network, address, isDeclined]);
  return null;
}

export function ImprovParts({ heard }: ImprovPartsProps) {
  return (
    <>
      {heard.map((port) => (
        <ImprovStep key={port} port={port} />
      ))}
      <ImprovSlot />
    </>
  );
}
