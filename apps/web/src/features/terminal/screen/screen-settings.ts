/** Settings of the Screens, kept in the browser. What a board expects of its keys is kept for each port. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { fieldsOf, parseJson } from '../../../shared/json.ts';
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

const screenSettings = createStore<ScreenSettings>(() => readScreenSettings(browserStorage.getItem(storageKey)));

const saving = savingOf({ what: 'The settings of the Screen' });

screenSettings.subscribe((settings) => saving(() => browserStorage.setItem(storageKey, JSON.stringify(settings))));

// Text and Hex are chosen by a key as well, which leads back to the log.
onTerminalSettingsChange(({ layout }, before) => {
  if (layout !== before.layout) {
    changeScreen({ isShown: false });
  }
});

export function useScreenSettings<Part>(select: (settings: ScreenSettings) => Part): Part {
  return useStore(screenSettings, select);
}

export function changeScreen(change: Partial<Omit<ScreenSettings, 'keys'>>): void {
  const now = screenSettings.getState();
  if (!sameShallow({ ...now, ...change }, now)) {
    screenSettings.setState(change);
  }
}

export function changeKeys(port: PortNumber, change: Partial<BoardKeys>): void {
  screenSettings.setState(({ keys }) => ({ keys: { ...keys, [port]: { ...keys[port], ...change } } }));
}

export function currentScreen(): ScreenSettings {
  return screenSettings.getState();
}

let isEntering = false;

/** Shows the Screen and focuses it as soon as it can take keys. */
export function enterScreen(): void {
  isEntering = true;
  changeScreen({ isShown: true });
}

/** Returns true once after `enterScreen`. */
export function takeEntering(): boolean {
  const wasEntering = isEntering;
  isEntering = false;
  return wasEntering;
}
