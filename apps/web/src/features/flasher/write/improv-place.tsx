/** The set-up of Wi-Fi in a flasher: its offers and its dialog. Both are fetched when they are needed. */
import { portNumbers } from '@wirebench/serial';
import { Suspense } from 'react';
import { optionalPart } from '../../../shared/ui/optional-part.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { ImprovSlot } from '../../../workbench/improv/improv-slot.tsx';

const ImprovStep = optionalPart(async () => (await import('./improv-step.tsx')).ImprovStep);

export function ImprovPlace() {
  const heard = useBenchStatus(({ improv }) => portNumbers.filter((port) => improv[port].isHeard));
  return (
    <>
      <Suspense>
        {heard.map((port) => (
          <ImprovStep key={port} port={port} />
        ))}
      </Suspense>
      <ImprovSlot />
    </>
  );
}
