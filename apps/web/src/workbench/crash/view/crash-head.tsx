/** Head of a crash: its title, the actions that are used once in a while, and the button that removes it. */
import { Ellipsis, X } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import styles from './crash-panel.module.css';

interface CrashHeadProps {
  readonly title: string;
  /** Without any, there is no menu. */
  readonly actions: readonly MenuAction[];
  readonly onRemove: () => void;
}

export function CrashHead({ title, actions, onRemove }: CrashHeadProps) {
  return (
    <div className={styles['titleRow']}>
      <h2 className={styles['title']}>{title}</h2>
      {actions.length === 0 ? null : (
        <Menu
          align="end"
          items={actions}
          trigger={(props) => (
            <IconButton {...props} label="More about this crash" size="sm" variant="quiet" icon={<Ellipsis />} />
          )}
        />
      )}
      <IconButton label="Remove this crash" size="sm" variant="quiet" icon={<X />} onClick={onRemove} />
    </div>
  );
}
