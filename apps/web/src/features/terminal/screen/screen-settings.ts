/** Settings of the Screens, kept in the browser. What a board expects of its keys is kept for each port. */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { sameShallow } from '../../../shared/same-shallow.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import { onTerminalSettingsChange } from '../settings/settings-store.ts';

/** Bytes that Enter sends. */
export const enterKeys = { cr: '\r', lf: '\n', crlf: '\r\n' } as const;
/** Byte that Backspace sends. */
export const backspaceKeys = { del: '\x7f', bs: '\b' } as const;
/** Sizes of the type in px. */
export const typeSizes = [11, 12, 13, 14, 16, 18] as const;

export interface BoardKeys {
  readonly enter: keyof typeof enterKeys;
  readonly backspace: keyof typeof backspaceKeys;
  /** True: keys are shown as they are typed, for boards that do not echo them. */
  readonly localEcho: boolean;
}

export interface ScreenSettings {
  /** True: the console shows the Screen instead of the log. */
  readonly isShown: boolean;
  /** Place of the log in a console with a Screen: beside it only in wide windows, below it in others. */
  readonly log: 'beside' | 'below' | 'away';
  /** True: the log has the lines of the Screen's port as well. */
  readonly ownInLog: boolean;
  /** `fit`: as many columns and rows as there is room for. */
  readonly size: 'fit' | '80x24';
  readonly typeSize: (typeof typeSizes)[number];
  /** True: screen readers read what arrives. */
  readonly readsAloud: boolean;
  readonly keys: Readonly<Record<PortNumber, BoardKeys>>;
}

const storageKey = 'wirebench.screen';

const defaultKeys: BoardKeys = { enter: 'cr', backspace: 'del', localEcho: false };

/** Reads stored settings. Each invalid value is replaced by its default. */
export function readScreenSettings(text: string | null): ScreenSettings {
  const { isShown, log, ownInLog, size, typeSize, readsAloud, keys } = fieldsOf(parseJson(text ?? 'null'));
  const stored = fieldsOf(keys);
  const boards = portNumbers.map((port) => [port, readKeys(stored[port])] as const);
  return {
    isShown: isShown === true,
    log: log === 'below' || log === 'away' ? log : 'beside',
    ownInLog: ownInLog === true,
    size: size === '80x24' ? size : 'fit',
    typeSize: typeSizes.find((known) => known === typeSize) ?? 13,
    readsAloud: readsAloud === true,
    keys: Object.fromEntries(boards) as unknown as ScreenSettings['keys'],
  };
}

function readKeys(value: unknown): BoardKeys {
  const { enter, backspace, localEcho } = fieldsOf(value);
  return {
    enter: enter === 'lf' || enter === 'crlf' ? enter : defaultKeys.enter,
    backspace: backspace === 'bs' ? backspace : defaultKeys.backspace,
    localEcho: localEcho === true,
  };
}

const screenSettings = pageStore<ScreenSettings>(readScreenSettings(browserStorage.getItem(storageKey)));

const saving = savingOf({ what: 'The settings of the Screen' });

screenSettings.subscribe((settings) => saving(() => browserStorage.setItem(storageKey, JSON.stringify(settings))));

// Text and Hex are chosen by a key as well, which leads back to the log.
onTerminalSettingsChange(({ layout }, before) => {
  if (layout !== before.layout) {
    changeScreen({ isShown: false });
  }
});

export const useScreenSettings = screenSettings.use;

export function changeScreen(change: Partial<Omit<ScreenSettings, 'keys'>>): void {
  const now = screenSettings.getState();
  if (!sameShallow({ ...now, ...change }, now)) {
    screenSettings.setState(change);
  }
  if (change.isShown === false) {
    endEntering();
  }
}

export function changeKeys(port: PortNumber, change: Partial<BoardKeys>): void {
  screenSettings.setState(({ keys }) => ({ keys: { ...keys, [port]: { ...keys[port], ...change } } }));
}

export function currentScreen(): ScreenSettings {
  return screenSettings.getState();
}

/** State that is not stored. */
const shown = pageStore({ isLow: false, isEntering: false });

/** Reports the row of the selected Screen's cursor. Rows in the middle third change nothing. */
export function noteCursor(row: number, rows: number): void {
  if (row < rows / 3 || row >= (2 * rows) / 3) {
    shown.setState({ isLow: row >= rows / 2 });
  }
}

/** Returns true while the cursor is in the lower part of the Screen. */
export function useCursorIsLow(): boolean {
  return shown.use(({ isLow }) => isLow);
}

/** Shows the Screen and focuses it as soon as it can take keys. */
export function enterScreen(): void {
  changeScreen({ isShown: true });
  shown.setState({ isEntering: true });
}

/** Returns true while a Screen should take the focus. */
export function useEntering(): boolean {
  return shown.use(({ isEntering }) => isEntering);
}

/** The focus has been taken, or is not wanted any more. */
export function endEntering(): void {
  shown.setState({ isEntering: false });
}

/**
 * Gives the focus back after a strip has taken it and gone: to the Screen, else to the message field. On touch screens the
 * field is left alone, because the keyboard would cover the log.
 */
export function returnToTyping(): void {
  if (currentScreen().isShown) {
    enterScreen();
  } else if (!matchMedia('(pointer: coarse)').matches) {
    document.getElementById('skip-target')?.focus();
  }
}
