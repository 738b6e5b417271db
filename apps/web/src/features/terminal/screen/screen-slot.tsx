/** The Screen's places in the console. Its code is fetched when a Screen is first shown. */
import type { RefObject } from 'react';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import type { LogName } from '../console/log-lines.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { changeScreen } from './screen-settings.ts';
import styles from './screen-slot.module.css';

const load = () => import('./screen-view.tsx');

/** Fetches the code before it is needed, so that the first keys after a press already go to the board. */
export function prepareScreen(): void {
  load().catch(() => {
    // The press tries again, and says what failed.
  });
}

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

export interface ScreenFindProps {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Shows and focuses the field. */
  readonly onFind: () => void;
}

/** Finds text in the selected port's Screen, in the place of the field for the log. */
export function ScreenFind(props: ScreenFindProps) {
  const port = useTerminalSession((session) => session.selectedPort);
  const view = useLoaded(true, load, leave);
  return view === null ? null : <view.ScreenFindField key={port} port={port} {...props} />;
}
