/** The remembered settings, live: one store for the page, written to the browser's storage with each change. */
import type { Framing, LineEnding, PortNumber, PortSettings } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { readTerminalSettings, type TerminalSettings, writeTerminalSettings } from './terminal-settings.ts';

const storageKey = 'wirebench.terminal';

export const terminalSettings = createStore<TerminalSettings>(() =>
  readTerminalSettings(browserStorage.getItem(storageKey)),
);

terminalSettings.subscribe((settings) =>
  browserStorage.setItem(storageKey, writeTerminalSettings(remembered(settings))),
);

type PortPreferences = TerminalSettings['ports'][PortNumber];

/** What an address brought along for one visit, and what stands behind it. */
interface Lent {
  readonly port: PortNumber;
  readonly given: PortPreferences;
  readonly own: PortPreferences;
  readonly lineEnding: { readonly given: LineEnding; readonly own: LineEnding } | null;
}

let lent: Lent | null = null;

/** `settings` without what is only lent: that is remembered once a person changes it. */
function remembered(settings: TerminalSettings): TerminalSettings {
  if (lent === null) {
    return settings;
  }
  const { port, given, own, lineEnding } = lent;
  return {
    ...settings,
    ...(settings.ports[port] === given && { ports: { ...settings.ports, [port]: own } }),
    ...(lineEnding !== null && settings.lineEnding === lineEnding.given && { lineEnding: lineEnding.own }),
  };
}

export interface LentSettings {
  readonly name?: string | undefined;
  readonly settings: Partial<PortSettings>;
  readonly lineEnding?: LineEnding | undefined;
}

/** Puts `change` in force for `port` without remembering it. What was lent before is given back first. */
export function lendSettings(port: PortNumber, { name, settings, lineEnding }: LentSettings): void {
  returnLent();
  const { ports, lineEnding: ownEnding } = terminalSettings.getState();
  const own = ports[port];
  const given = { ...own, name: name ?? own.name, settings: { ...own.settings, ...settings } };
  lent = { port, given, own, lineEnding: lineEnding === undefined ? null : { given: lineEnding, own: ownEnding } };
  terminalSettings.setState({ ports: { ...ports, [port]: given }, ...(lineEnding !== undefined && { lineEnding }) });
}

/** The remembered settings are in force again, but for what was changed since. */
export function returnLent(): void {
  const own = remembered(terminalSettings.getState());
  lent = null;
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

function changePort(port: PortNumber, change: (preferences: PortPreferences) => PortPreferences): void {
  terminalSettings.setState(({ ports }) => ({ ports: { ...ports, [port]: change(ports[port]) } }));
}

/** What a port is called everywhere: an empty name falls back to 'Port N'. */
export function portName({ ports }: Pick<TerminalSettings, 'ports'>, port: PortNumber): string {
  return ports[port].name.trim() || `Port ${port}`;
}
