import { Zap } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { allFamilies } from '../../workbench/flasher/families.ts';
import { useLive } from '../../workbench/live/live-store.ts';

/** Leads to a flasher with this link: nobody but the person knows which chip it is. The flasher is a guest of its own. */
export function FlashMenu() {
  const link = useLive((state) => state.link);
  const ended = useLive(({ tick }) => tick?.state === 'ended');
  if (typeof link === 'string' || ended) {
    return null;
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
