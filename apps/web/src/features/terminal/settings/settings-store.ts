/**
 * The remembered settings, live: one store for the page, written to the browser's storage with each change. Every tab has its own;
 * of what is stored a tab changes only what a person changed in it, so that two tabs do not undo each other.
 */
import type { PortSettings } from '@wirebench/port';
import { type Framing, type LineEnding, type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import {
  longestName,
  readTerminalSettings,
  type TerminalSettings,
  writeTerminalSettings,
} from './terminal-settings.ts';

const storageKey = 'wirebench.terminal';

const stored = (): TerminalSettings => readTerminalSettings(browserStorage.getItem(storageKey));

export const terminalSettings = createStore<TerminalSettings>(stored);

const saving = savingOf({ what: 'The terminal settings' });

/** What of this tab's settings is in the storage: what could not be written is tried again with the next change. */
let written = terminalSettings.getState();

terminalSettings.subscribe((settings) =>
  saving(() => {
    const next = remembered(settings);
    browserStorage.setItem(storageKey, writeTerminalSettings(withChanges(stored(), written, next)));
    written = next;
  }),
);

/** `settings` with what is another value in `after` than in `before`. */
function withChanges(settings: TerminalSettings, before: TerminalSettings, after: TerminalSettings): TerminalSettings {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof TerminalSettings] !== value);
  const ports = portNumbers.map((port) => {
    return [port, before.ports[port] === after.ports[port] ? settings.ports[port] : after.ports[port]] as const;
  });
  return { ...settings, ...Object.fromEntries(changed), ports: Object.fromEntries(ports) as TerminalSettings['ports'] };
}

type PortPreferences = TerminalSettings['ports'][PortNumber];

/** What an address brings along for one visit, and the person's own settings. */
interface Temporary {
  readonly port: PortNumber;
  readonly given: PortPreferences;
  readonly own: PortPreferences;
  readonly lineEnding: { readonly given: LineEnding; readonly own: LineEnding } | null;
}

let temporary: Temporary | null = null;

/** The person's own ports while those of somebody else's bench are shown; null while they are not. */
let ownPorts: TerminalSettings['ports'] | null = null;

/**
 * Names and settings of a bench that somebody shares: in force as long as the page, and never remembered, also where a person changes them
 * meanwhile.
 */
export function borrowPort(
  port: PortNumber,
  { name, settings }: { readonly name: string; readonly settings: PortSettings | null },
): void {
  ownPorts ??= terminalSettings.getState().ports;
  changePort(port, (preferences) => ({
    ...preferences,
    name: name.slice(0, longestName),
    settings: settings ?? preferences.settings,
  }));
}

/** `settings` without the temporary ones: those are remembered once a person changes them. */
function remembered(settings: TerminalSettings): TerminalSettings {
  if (ownPorts !== null) {
    return { ...settings, ports: ownPorts };
  }
  if (temporary === null) {
    return settings;
  }
  const { port, given, own, lineEnding } = temporary;
  return {
    ...settings,
    ...(settings.ports[port] === given && { ports: { ...settings.ports, [port]: own } }),
    ...(lineEnding !== null && settings.lineEnding === lineEnding.given && { lineEnding: lineEnding.own }),
  };
}

export interface TemporarySettings {
  readonly name?: string | undefined;
  readonly settings: Partial<PortSettings>;
  readonly lineEnding?: LineEnding | undefined;
}

/** Puts `change` in force for `port` without remembering it. Earlier temporary settings end first. */
export function applyTemporarySettings(port: PortNumber, { name, settings, lineEnding }: TemporarySettings): void {
  endTemporarySettings();
  const { ports, lineEnding: ownEnding } = terminalSettings.getState();
  const own = ports[port];
  const given = { ...own, name: name ?? own.name, settings: { ...own.settings, ...settings } };
  temporary = { port, given, own, lineEnding: lineEnding === undefined ? null : { given: lineEnding, own: ownEnding } };
  terminalSettings.setState({ ports: { ...ports, [port]: given }, ...(lineEnding !== undefined && { lineEnding }) });
}

/** The remembered settings are in force again, but for what was changed since. */
export function endTemporarySettings(): void {
  const own = remembered(terminalSettings.getState());
  temporary = null;
  terminalSettings.setState(own);
}

export function useTerminalSettings<Part>(select: (settings: TerminalSettings) => Part): Part {
  return useStore(terminalSettings, select);
}

export function changeSettings(change: Partial<Omit<TerminalSettings, 'ports'>>): void {
  terminalSettings.setState(change);
}

export function renamePort(port: PortNumber, name: string): void {
  changePort(port, (preferences) => ({ ...preferences, name }));
}

export function changePortSettings(port: PortNumber, change: Partial<PortSettings>): void {
  changePort(port, (preferences) => ({ ...preferences, settings: { ...preferences.settings, ...change } }));
}

export function changeFraming(port: PortNumber, framing: Framing): void {
  changePort(port, (preferences) => ({ ...preferences, framing }));
}

export function changeReconnect(port: PortNumber, reconnect: boolean): void {
  changePort(port, (preferences) => ({ ...preferences, reconnect }));
}

function changePort(port: PortNumber, change: (preferences: PortPreferences) => PortPreferences): void {
  terminalSettings.setState(({ ports }) => ({ ports: { ...ports, [port]: change(ports[port]) } }));
}

/** What a port is called everywhere: an empty name falls back to 'Port N'. */
export function portName({ ports }: Pick<TerminalSettings, 'ports'>, port: PortNumber): string {
  return ports[port].name.trim() || `Port ${port}`;
}
