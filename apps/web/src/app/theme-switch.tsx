import { Moon, Sun } from 'lucide-react';
import { useStore } from 'zustand';
import { chooseTheme, themeStore } from '../shared/theme/theme.ts';
import { IconButton } from '../shared/ui/icon-button.tsx';

export function ThemeSwitch() {
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
