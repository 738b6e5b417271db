import { LibraryBig } from 'lucide-react';
import { useRef } from 'react';
import { hasServer } from '../../shared/edition.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Popover } from '../../shared/ui/popover.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import type { JkitPanel, PanelJkits } from './jkit-panel.ts';
import styles from './library.module.css';
import { closeLibrary, openLibrary, useLibrary } from './library-store.ts';
import { loginRequired } from './model/library-texts.ts';

/** Opens the library for a panel that the press makes. For visitors it is disabled, with the reason as tooltip. */
export function LibraryStart({ panelId }: { readonly panelId: () => string }) {
  const { user } = useSession();
  const button = (described: object = {}) => (
    <Button
      {...described}
      size="sm"
      icon={<LibraryBig />}
      aria-disabled={user === null || undefined}
      className={user === null ? styles['off'] : undefined}
      onClick={() => (user === null ? undefined : openLibrary(panelId()))}
    >
      From the library
    </Button>
  );
  return user === null ? <Tooltip text={loginRequired}>{button}</Tooltip> : button();
}

export interface LibraryButtonProps {
  readonly panel: JkitPanel;
  readonly jkits: PanelJkits;
}

const loadLibrary = () => import('./library.tsx');

/** Button that opens the JKit library for one panel. For visitors it is disabled, with the reason as tooltip. */
/** Draws nothing in an edition without a server, which would keep the library. */
export function LibraryButton(props: LibraryButtonProps) {
  return hasServer ? <ServedLibraryButton {...props} /> : null;
}

function ServedLibraryButton({ panel, jkits }: LibraryButtonProps) {
  const { user } = useSession();
  const anchor = useRef<HTMLButtonElement>(null);
  const open = useLibrary(({ openFor }) => openFor === panel.id) && user !== null;
  const library = useLoaded(open, loadLibrary, closeLibrary);
  const label = `JKit library for ${panel.name}`;
  if (user === null) {
    return (
      <Tooltip text={loginRequired}>
        {(described) => (
          <Button
            {...described}
            aria-label={label}
            aria-disabled
            variant="quiet"
            size="sm"
            className={styles['off']}
            icon={<LibraryBig />}
          />
        )}
      </Tooltip>
    );
  }
  return (
    <>
      <IconButton
        ref={anchor}
        label={label}
        variant="quiet"
        size="sm"
        icon={<LibraryBig />}
        className={open ? styles['opened'] : undefined}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => (open ? closeLibrary() : openLibrary(panel.id))}
      />
      <Popover
        open={open && library !== null}
        onClose={closeLibrary}
        anchor={anchor}
        besideSection
        title="JKit library"
        subtitle={`for ${panel.name}`}
      >
        {library === null ? null : <library.JkitLibrary key={user.name} user={user.name} panel={panel} jkits={jkits} />}
      </Popover>
    </>
  );
}
