import { pagePaths } from '@wirebench/contract/constants';
import { Menu as MenuIcon, Moon, Sun, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { FeedbackButton } from '../features/feedback/feedback-button.tsx';
import { Account } from '../features/sign-in/account.tsx';
import { useSession } from '../shared/session/use-session.ts';
import { chooseTheme, themeStore } from '../shared/theme/theme.ts';
import { BrandMark } from '../shared/ui/brand-mark.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import { IconButton } from '../shared/ui/icon-button.tsx';
import { FrameLink, useFramePathname } from './frame-links.tsx';
import styles from './header.module.css';
import { Navigation } from './navigation.tsx';
import { OfflineSign } from './offline-sign.tsx';

export function Header() {
  const { user } = useSession();
  const pathname = useFramePathname();
  const navigationId = useId();
  // Where the phone's menu was opened: on another page it is closed.
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
      <div className={styles['right']}>
        <OfflineSign />
        {user === null ? null : <FeedbackButton />}
        <ThemeSwitch />
        <Account />
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
  const dark = useStore(themeStore, ({ theme }) => theme === 'dark');
  return (
    <IconButton
      label={dark ? 'Use light theme' : 'Use dark theme'}
      variant="quiet"
      icon={dark ? <Sun /> : <Moon />}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    />
  );
}
