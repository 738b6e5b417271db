import { pagePaths } from '@wirebench/contract/constants';
import { CloudOff, Menu as MenuIcon, Moon, Sun, X } from 'lucide-react';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { FeedbackButton } from '../features/feedback/feedback-button.tsx';
import { Account } from '../features/sign-in/account.tsx';
import { hasServer } from '../shared/edition.ts';
import { useSession } from '../shared/session/use-session.ts';
import { chooseTheme, useTheme } from '../shared/theme/theme.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { BrandMark } from '../shared/ui/brand-mark.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import { IconButton } from '../shared/ui/icon-button.tsx';
import { Tooltip } from '../shared/ui/tooltip.tsx';
import { FrameLink, useFramePathname } from './frame-links.tsx';
import styles from './header.module.css';
import { headerState } from './header-state.ts';
import { Navigation } from './navigation.tsx';

export function Header() {
  const { user } = useSession();
  const { Sign, Help } = headerState.use();
  const pathname = useFramePathname();
  const navigationId = useId();
  // Address at which the phone's menu was opened. The menu is closed on any other page.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === pathname;
  useEffect(() => {
    if (!open) {
      return;
    }
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        setOpenAt(null);
      }
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  return (
    <header className={styles['header']}>
      <Logo />
      <div id={navigationId} className={classNames(styles['navigation'], open && styles['open'])}>
        <Navigation />
      </div>
      <div className={`row tight ${styles['right']}`}>
        <OfflineSign />
        {Sign && <Sign />}
        {Help && <Help />}
        {hasServer && user !== null ? <FeedbackButton /> : null}
        <ThemeSwitch />
        {hasServer ? <Account /> : null}
        <span className={styles['phone']}>
          <IconButton
            label={open ? 'Close the menu' : 'Menu'}
            variant="quiet"
            icon={open ? <X /> : <MenuIcon />}
            aria-expanded={open}
            aria-controls={navigationId}
            onClick={() => setOpenAt(open ? null : pathname)}
          />
        </span>
      </div>
    </header>
  );
}

function Logo() {
  return (
    <FrameLink to={pagePaths.home} className={styles['brand']}>
      <BrandMark />
      <span>Wirebench</span> <span className={styles['beta']}>BETA</span>
    </FrameLink>
  );
}

function ThemeSwitch() {
  const dark = useTheme() === 'dark';
  return (
    <IconButton
      label={dark ? 'Use light theme' : 'Use dark theme'}
      variant="quiet"
      icon={dark ? <Sun /> : <Moon />}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    />
  );
}

const offlineText = hasServer
  ? 'The terminal, the flashers and the docs work. Signing in, JKits and releases need the network.'
  : 'The terminal, the flashers, the ESP32 bench and the docs work. Firmware lists need the network.';

/** Says in the header that the browser has no network, and what that means here. */
function OfflineSign() {
  const online = useSyncExternalStore(followNetwork, () => navigator.onLine);
  return (
    <span role="status" className={styles['sign']}>
      {online ? null : (
        <Tooltip text={offlineText}>
          {(described) => (
            <span {...described}>
              <Badge tone="warning" icon={<CloudOff />}>
                <span className={styles['word']}>Offline</span>
              </Badge>
            </span>
          )}
        </Tooltip>
      )}
    </span>
  );
}

function followNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
