/** The Screen's places in the console. Its code is fetched when a Screen is first shown. */
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import type { LogName } from '../console/log-lines.ts';
import { changeScreen } from './screen-settings.ts';
import styles from './screen-slot.module.css';

const load = () => import('./screen-view.tsx');
const leave = () => changeScreen({ isShown: false });

export interface ScreenAreaProps {
  /** Logs that the console would show: the panes have their ports, and `all` the selected one. */
  readonly names: readonly LogName[];
}

export function ScreenArea({ names }: ScreenAreaProps) {
  const view = useLoaded(true, load, leave);
  return view === null ? <div className={styles['waiting']} /> : <view.ScreenView names={names} />;
}

/** Keys for the selected port's Screen, in the place of the send bar. */
export function ScreenKeys() {
  const view = useLoaded(true, load, leave);
  return view === null ? <div className={styles['keys']} /> : <view.ScreenKeyRow />;
}
