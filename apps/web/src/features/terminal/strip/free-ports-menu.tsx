import type { PortNumber } from '@wirebench/serial';
import { Cable, ChevronDown, FlaskConical, Plug } from 'lucide-react';
import { useState } from 'react';
import { type PortPlace, permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { boardOffers, connectBoard } from '../remembered-boards.tsx';
import { useTerminalSettings } from '../settings/settings-store.ts';

/** Menu with other ways to connect: boards used before, and the demo device. */
export function FreePortsMenu({ port }: { readonly port: PortNumber }) {
  const current = useTerminalSettings((settings) => settings);
  const { settings } = current.ports[port];
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const look = async () => setPlaces(await permittedPlaces());
  const boards: MenuAction[] = boardOffers(places, port, current).map((offer) => ({
    label: `${offer.label}, port ${offer.port}`,
    icon: <Cable />,
    movesFocus: true,
    onSelect: () => connectBoard(offer),
  }));
  return (
    <Menu
      align="end"
      items={[
        {
          label: 'Choose a port…',
          icon: <Plug />,
          movesFocus: true,
          onSelect: () => void connectPicked(port, settings),
        },
        ...boards,
        'separator',
        {
          label: 'Demo device',
          icon: <FlaskConical />,
          movesFocus: true,
          onSelect: () => void connectSource(port, { kind: 'demo' }, settings),
        },
      ]}
      trigger={(props) => (
        <Button
          {...props}
          variant="quiet"
          size="sm"
          icon={<ChevronDown />}
          aria-label={`Other ways to connect port ${port}`}
          onClick={() => {
            void look();
            props.onClick();
          }}
        />
      )}
    />
  );
}
