/** The offers to set up the Wi-Fi of boards, and the dialog. Fetched when a board is heard or the dialog is asked for. */

import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Wifi } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { declineImprov, useImprovOffer } from '../../../../workbench/improv/improv-offer.ts';
import { openImprov, useOpenImprov } from '../../../../workbench/improv/improv-open.ts';
import { ImprovSlot } from '../../../../workbench/improv/improv-slot.tsx';
import styles from '../../../../workbench/strip.module.css';
import { changeTerminalSession, useTerminalSession } from '../../terminal-session.ts';

/** Offers to set up the Wi-Fi of a board that has answered Improv and is on no network. Fetched when one is heard. */
function ImprovStrip() {
  return portNumbers.map((port) => <PortStrip key={port} port={port} />);
}

function PortStrip({ port }: { readonly port: PortNumber }) {
  const { state, isDeclined } = useImprovOffer(port);
  const open = useOpenImprov();
  if (state !== 'unconnected' || isDeclined || open.port === port) {
    return null;
  }
  return (
    <div className={`row ${styles['strip']}`} role="status">
      <PortFlag port={port} />
      <span>The board on Port {port} can be put on your Wi-Fi.</span>
      <span className={styles['end']}>
        <Button size="sm" icon={<Wifi />} onClick={() => openImprov(port, true)}>
          Set up Wi-Fi
        </Button>
        <Button size="sm" variant="quiet" onClick={() => declineImprov(port)}>
          Not now
        </Button>
      </span>
    </div>
  );
}

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
