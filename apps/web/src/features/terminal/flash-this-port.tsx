/** Sends the board of a port to a flasher, which releases it afterwards. Shown in the port's settings while it is open. */

import { type FamilyId, families, familyIds } from '@wirebench/boards';
import { guessFamily } from '@wirebench/boards/guess-family';
import type { PortNumber } from '@wirebench/serial';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { goTo } from '../../shared/app-navigation.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { getBench } from '../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../workbench/bench-status.ts';
import { sendToFlasher } from '../../workbench/flasher-boards.ts';

/** Number of lines that are read for the name of a chip. */
const readLines = 400;

export interface FlashThisPortProps {
  readonly port: PortNumber;
  readonly className?: string | undefined;
}

export function FlashThisPort({ port, className }: FlashThisPortProps) {
  const isOpen = useBenchStatus(({ status, users, devices }) => {
    const isOurs = users[port] === null && devices[port]?.kind !== 'remote';
    return status.ports[port].state === 'connected' && isOurs;
  });
  return isOpen ? <FlashOpenPort port={port} className={className} /> : null;
}

function FlashOpenPort({ port, className }: FlashThisPortProps) {
  const [asks, setAsks] = useState(false);
  const open = async (show: () => void) => {
    const family = await familyOf(port);
    if (family === null) {
      show();
    } else {
      flash(port, family);
    }
  };
  return (
    <Menu
      items={familyIds.map((family) => ({
        label: `${families[family].name}: ${families[family].models}`,
        icon: <Zap />,
        onSelect: () => flash(port, family),
      }))}
      trigger={(props) => (
        <Button
          {...props}
          size="sm"
          icon={<Zap />}
          className={className}
          busy={asks}
          onClick={() => {
            setAsks(true);
            void open(props.onClick).finally(() => setAsks(false));
          }}
        >
          Flash this port
        </Button>
      )}
    />
  );
}

function flash(port: PortNumber, family: FamilyId): void {
  sendToFlasher(port);
  goTo(families[family].page);
}

/** Returns the family of the board's chip; null if the person has to choose. */
async function familyOf(port: PortNumber): Promise<FamilyId | null> {
  const channels = [`received-${port}` as const];
  const query = { layout: 'text', anchor: 'tail', count: readLines, channels } as const;
  const { rows } = await getBench().call('rows', query);
  return guessFamily(benchStatus.tick.status.ports[port].info, rows.map(({ text }) => text).join('\n'));
}
