/** The remembered settings, live: one store for the page, written to the browser's storage with each change. */
import type { PortNumber, PortSettings } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { readTerminalSettings, type TerminalSettings, writeTerminalSettings } from './terminal-settings.ts';

const storageKey = 'wirebench.terminal';

export const terminalSettings = createStore<TerminalSettings>(() =>
  readTerminalSettings(browserStorage.getItem(storageKey)),
);

terminalSettings.subscribe((settings) => browserStorage.setItem(storageKey, writeTerminalSettings(settings)));

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

function changePort(
  port: PortNumber,
  change: (preferences: TerminalSettings['ports'][PortNumber]) => TerminalSettings['ports'][PortNumber],
): void {
  terminalSettings.setState(({ ports }) => ({ ports: { ...ports, [port]: change(ports[port]) } }));
}

/** What a port is called everywhere: an empty name falls back to 'Port N'. */
export function portName({ ports }: Pick<TerminalSettings, 'ports'>, port: PortNumber): string {
  return ports[port].name.trim() || `Port ${port}`;
}
