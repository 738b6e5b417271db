/** The offers to set up the Wi-Fi of boards, and the dialog. Fetched when a board is heard or the dialog is asked for. */
import { useEffect } from 'react';
import { openImprov } from '../../../../workbench/improv/improv-open.ts';
import { ImprovSlot } from '../../../../workbench/improv/improv-slot.tsx';
import { changeTerminalSession, useTerminalSession } from '../../terminal-session.ts';
import { ImprovStrip } from './improv-strip.tsx';

export function ImprovParts() {
  const asked = useTerminalSession((session) => session.wifiPort);
  useEffect(() => {
    if (asked !== null) {
      openImprov(asked);
      changeTerminalSession({ wifiPort: null });
    }
  }, [asked]);
  return (
    <>
      <ImprovStrip />
      <ImprovSlot />
    </>
  );
}
