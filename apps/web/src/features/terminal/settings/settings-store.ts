/**
 * The terminal's settings, saved in the browser's storage on each change. Each tab has its own settings. A tab writes
 * only the values that were changed in it, so that two tabs do not overwrite each other's changes.
 */

import type { PortSettings } from '@wirebench/port';
import { type LineEnding, type PortNumber, portNumbers } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { sameShallow } from '../../../shared/same-shallow.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import type { DecoderId } from '../../../workbench/decoders/decoder-id.ts';
import {
  type LogDisplay,
  longestName,
  type PortPreferences,
  type PortSettingName,
  portSettingNames,
  portSettings,
  readTerminalSettings,
  type TerminalSettings,
  writeTerminalSettings,
} from './terminal-settings.ts';

const storageKey = 'wirebench.terminal';

const stored = (): TerminalSettings => readTerminalSettings(browserStorage.getItem(storageKey));

const terminalSettings = pageStore<TerminalSettings>(stored());

export const {
  getState: terminalSettingsNow,
  setState: changeTerminalSettings,
  subscribe: onTerminalSettingsChange,
} = terminalSettings;

const saving = savingOf({ what: 'The terminal settings' });

/** Settings at the last successful write. A failed write is repeated with the next change. */
let written = terminalSettings.getState();

terminalSettings.subscribe((settings) =>
  saving(() => {
    const next = remembered(settings);
    browserStorage.setItem(storageKey, writeTerminalSettings(withChanges(stored(), written, next)));
    written = next;
  }),
);

/** Returns `settings` with the values that differ between `before` and `after`. */
function withChanges(settings: TerminalSettings, before: TerminalSettings, after: TerminalSettings): TerminalSettings {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof TerminalSettings] !== value);
  const ports = portNumbers.map((port) => {
    return [port, before.ports[port] === after.ports[port] ? settings.ports[port] : after.ports[port]] as const;
  });
  return { ...settings, ...Object.fromEntries(changed), ports: Object.fromEntries(ports) as TerminalSettings['ports'] };
}

/** Settings from the page's address, valid for this visit, and the user's own settings that they replace. */
interface Temporary {
  readonly port: PortNumber;
  readonly given: PortPreferences;
  readonly own: PortPreferences;
}

let temporary: Temporary | null = null;

/** The user's own port settings while a host's bench is shown, else null. */
let ownPorts: TerminalSettings['ports'] | null = null;

/**
 * Applies the name and settings of a host's port. They last until the page is closed and are never stored, even if
 * the guest changes them.
 */
export function borrowPort(
  port: PortNumber,
  { name, settings }: { readonly name: string; readonly settings: PortSettings | null },
): void {
  ownPorts ??= terminalSettings.getState().ports;
  changePort(port, { name: name.slice(0, longestName), ...(settings !== null && { settings }) });
}

/**
 * Returns `settings` with temporary values replaced by the user's own. A temporary value that the user changed is
 * kept and stored.
 */
function remembered(settings: TerminalSettings): TerminalSettings {
  if (ownPorts !== null) {
    return { ...settings, ports: ownPorts };
  }
  if (temporary === null) {
    return settings;
  }
  const { port } = temporary;
  return { ...settings, ports: { ...settings.ports, [port]: rememberedPort(settings.ports[port], temporary) } };
}

/** Keeps the settings of what is typed apart from the others: a chosen ending keeps no baud rate. */
function rememberedPort(now: PortPreferences, { given, own }: Temporary): PortPreferences {
  const [typing, others] = [true, false].map((isTyping) =>
    portSettingNames.filter((name) => (portSettings[name].isTyping ?? false) === isTyping),
  ) as [PortSettingName[], PortSettingName[]];
  const typed = typing.map((name) => [name, (now[name] === given[name] ? own : now)[name]]);
  const isUnchanged = others.every((name) => now[name] === given[name]);
  const kept = { ...(isUnchanged ? own : now), ...Object.fromEntries(typed) };
  return sameShallow(kept, own) ? own : kept;
}

export interface TemporarySettings {
  readonly name?: string | undefined;
  readonly settings: Partial<PortSettings>;
  readonly lineEnding?: LineEnding | undefined;
}

/** Applies settings to `port` without storing them. Ends earlier temporary settings first. */
export function applyTemporarySettings(port: PortNumber, { name, settings, lineEnding }: TemporarySettings): void {
  endTemporarySettings();
  const { ports } = terminalSettings.getState();
  const own = ports[port];
  const given = {
    ...own,
    name: name ?? own.name,
    settings: { ...own.settings, ...settings },
    lineEnding: lineEnding ?? own.lineEnding,
  };
  temporary = { port, given, own };
  terminalSettings.setState({ ports: { ...ports, [port]: given } });
}

/** Restores the user's own settings. Values changed by the user since then are kept. */
export function endTemporarySettings(): void {
  const own = remembered(terminalSettings.getState());
  temporary = null;
  terminalSettings.setState(own);
}

export const useTerminalSettings = terminalSettings.use;

export function changeSettings(change: Partial<Omit<TerminalSettings, 'ports'>>): void {
  terminalSettings.setState(change);
}

/** Changes what is kept of a port. */
export function changePort(port: PortNumber, change: Partial<PortPreferences>): void {
  replacePort(port, (preferences) => ({ ...preferences, ...change }));
}

function replacePort(port: PortNumber, change: (preferences: PortPreferences) => PortPreferences): void {
  terminalSettings.setState(({ ports }) => ({ ports: { ...ports, [port]: change(ports[port]) } }));
}

/** Changes values with which a port is opened. */
export function changePortSettings(port: PortNumber, change: Partial<PortSettings>): void {
  replacePort(port, (preferences) => ({ ...preferences, settings: { ...preferences.settings, ...change } }));
}

/**
 * Sets the decoder of a port, and shows the log as frames as soon as there is one.
 *
 * @param isOnce True: the choice ends with the page.
 */
export function changeDecoder(
  port: PortNumber,
  decoder: DecoderId | null,
  { isOnce = false }: { readonly isOnce?: boolean } = {},
): void {
  replacePort(port, ({ isTried: _tried, isOnce: _once, ...preferences }) => ({
    ...preferences,
    decoder,
    ...(isOnce && { isOnce }),
  }));
  if (decoder !== null) {
    changeSettings({ layout: 'frames' });
  }
}

/** Returns the port whose frames another one answers; null: it has its own decoder. */
export function askingPort(ports: TerminalSettings['ports'], port: PortNumber): PortNumber | null {
  return (
    portNumbers.find((other) => other !== port && ports[other].decoder !== null && ports[other].answersOn === port) ??
    null
  );
}

/** Returns how the log is shown: as frames only while a port has a decoder. */
export function displayOf({ layout, ports }: TerminalSettings): LogDisplay {
  return layout === 'frames' && !hasDecoder(ports) ? 'text' : layout;
}

/** Returns the display that the key for hex chooses. */
export function displayByHexKey(settings: TerminalSettings): LogDisplay {
  return displayOf(settings) !== 'hex' ? 'hex' : hasDecoder(settings.ports) ? 'frames' : 'text';
}

/** Returns true if a port has a decoder, or one is tried on it, so that the log can be shown as frames. */
export function hasDecoder(ports: TerminalSettings['ports']): boolean {
  return portNumbers.some((port) => ports[port].decoder !== null || ports[port].isTried === true);
}

/** Says whether a decoder is tried on a port. The log is shown as frames when a trial begins. */
export function changeTrial(port: PortNumber, isTried: boolean): void {
  const { ports } = terminalSettings.getState();
  if ((ports[port].isTried === true) !== isTried) {
    replacePort(port, ({ isTried: _, ...preferences }) => ({ ...preferences, ...(isTried && { isTried }) }));
    if (isTried) {
      changeSettings({ layout: 'frames' });
    }
  }
}

/** Returns the display name of a port: 'Port N' if it has no name. */
export function portName({ ports }: Pick<TerminalSettings, 'ports'>, port: PortNumber): string {
  return ports[port].name.trim() || `Port ${port}`;
}
