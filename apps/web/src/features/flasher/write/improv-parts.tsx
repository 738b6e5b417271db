/** The offers of the set-up of Wi-Fi, and its dialog. Fetched when a board has answered Improv. */
import type { PortNumber } from '@wirebench/serial';
import { ImprovSlot } from '../../../workbench/improv/improv-slot.tsx';
import { ImprovStep } from './improv-step.tsx';

interface ImprovPartsProps {
  /** Ports whose board has answered. */
  readonly heard: readonly PortNumber[];
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
