/** The offers to set up the Wi-Fi of boards, and the dialog. Both are fetched when they are needed. */
import { portNumbers } from '@wirebench/serial';
import { Suspense } from 'react';
import { optionalPart } from '../../../../shared/ui/optional-part.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { ImprovSlot } from '../../../../workbench/improv/improv-slot.tsx';

const ImprovStrip = optionalPart(async () => (await import('./improv-strip.tsx')).ImprovStrip);

export function ImprovPlace() {
  const isHeard = useBenchStatus(({ improv, devices }) =>
    portNumbers.some((port) => improv[port].isHeard && devices[port]?.kind !== 'remote'),
  );
  return (
    <>
      {isHeard ? (
        <Suspense>
          <ImprovStrip />
        </Suspense>
      ) : null}
      <ImprovSlot />
    </>
  );
}
