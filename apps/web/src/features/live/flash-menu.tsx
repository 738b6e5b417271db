import { allFamilies } from '@wirebench/boards';
import type { PortNumber } from '@wirebench/serial';
import { Zap } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { useLive } from '../../workbench/live/live-store.ts';

/**
 * Opens a flasher with this link. The guest chooses the family, because the page does not know the chip. The flasher
 * joins as a guest of its own. For a simulated board the menu explains why flashing is not possible.
 */
export function FlashMenu({ port }: { readonly port: PortNumber }) {
  const link = useLive((state) => state.link);
  const simulated = useLive(({ tick }) => {
    const shared = tick?.ports.find((one) => one.port === port);
    return shared?.isSimulated === true;
  });
  const ended = useLive(({ tick }) => tick?.state === 'ended');
  if (typeof link === 'string' || ended) {
    return null;
  }
  if (simulated) {
    return <p className="small">This board is simulated. To try a flasher, use the demo board on its own page.</p>;
  }
  return (
    <Menu
      items={allFamilies.map(({ name, page }) => ({
        label: `${name} flasher`,
        onSelect: () => void window.open(`${page}?live=${link.room}#${link.secret}`, '_blank', 'noopener'),
      }))}
      trigger={(props) => (
        <Button {...props} size="sm" icon={<Zap />}>
          Flash this board
        </Button>
      )}
    />
  );
}
