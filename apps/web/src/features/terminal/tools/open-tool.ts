/** The open tool beside or below the log, and its size. Kept until the page is closed. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { changeTerminalSession } from '../terminal-session.ts';

const tools = ['plot', 'crashes', 'statistics', 'rules', 'baud', 'board-files'] as const;
export type Tool = (typeof tools)[number];

export const toolNames = {
  plot: 'Plot',
  crashes: 'Crashes',
  statistics: 'Statistics',
  rules: 'Rules',
  baud: 'Baud finder',
  'board-files': 'Board files',
} satisfies Record<Tool, string>;

const portTools: ReadonlySet<Tool> = new Set<Tool>(['baud', 'board-files']);

/** Returns the tools that are offered. An opened log has none that act on a port. */
export const toolsFor = (isReadOnly: boolean): readonly Tool[] =>
  tools.filter((tool) => !(isReadOnly && portTools.has(tool)));

export interface ToolProps {
  /**
   * Shows the log's lines at a time.
   *
   * @param at Milliseconds since the Unix epoch.
   */
  readonly onShowTime: (at: number) => void;
}

/** Id of the tab of a tool. */
export const toolTabId = (tool: Tool) => `tool-tab-${tool}`;

interface OpenTool {
  readonly tool: Tool | null;
  /**
   * True: the tool takes most of the height, and the log shows a few lines. Null: not chosen, so the window's size
   * decides.
   */
  readonly isLarge: boolean | null;
}

const openTool = createStore<OpenTool>(() => ({ tool: null, isLarge: null }));

export function useOpenTool(): Tool | null {
  return useStore(openTool, ({ tool }) => tool);
}

export const openToolNow = (): Tool | null => openTool.getState().tool;

export function useLargeTool(): boolean | null {
  return useStore(openTool, ({ isLarge }) => isLarge);
}

export function setLargeTool(isLarge: boolean): void {
  openTool.setState({ isLarge });
}

/** Opens a tool. Null closes the open one. */
export function showTool(tool: Tool | null): void {
  openTool.setState({ tool });
}

/** Calls `act` each time when `tool` is no longer shown: the tools are closed, or another one takes its place. */
export function onToolLeave(tool: Tool, act: () => void): void {
  openTool.subscribe((now, before) => {
    if (before.tool === tool && now.tool !== tool) {
      act();
    }
  });
}

/** Opens the baud finder for a port. Selects the port and closes the settings that overlay the console. */
export function showBaudFinder(port: PortNumber): void {
  showTool('baud');
  changeTerminalSession({ selectedPort: port, settingsOpen: false });
}
