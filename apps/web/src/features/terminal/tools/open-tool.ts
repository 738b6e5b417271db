/** Which tool stands open beside the log or below it, and how large, for as long as the page lives. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { terminalSession } from '../terminal-session.ts';

export const tools = ['plot', 'crashes', 'statistics', 'baud'] as const;
export type Tool = (typeof tools)[number];

export const toolNames = {
  plot: 'Plot',
  crashes: 'Crashes',
  statistics: 'Statistics',
  baud: 'Baud finder',
} satisfies Record<Tool, string>;

export interface ToolProps {
  /** Shows the lines of this time in the log, in milliseconds since the Unix epoch. */
  readonly onShowTime: (at: number) => void;
}

interface OpenTool {
  readonly tool: Tool | null;
  /** Most of the room is the tool's; a few lines are the log's. Null: as the window suggests, because nobody has chosen. */
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

/** Null closes what is open. */
export function showTool(tool: Tool | null): void {
  openTool.setState({ tool });
}

/** It listens on the selected port, and stands with the console where there is only room for one part. */
export function showBaudFinder(port: PortNumber): void {
  showTool('baud');
  terminalSession.setState({ selectedPort: port, pane: 'console', drawerOpen: false });
}
