/** Which tool stands open below the log, for as long as the page lives. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export const tools = ['plot', 'crashes', 'statistics', 'baud'] as const;
export type Tool = (typeof tools)[number];

export const toolNames = {
  plot: 'Plot',
  crashes: 'Crashes',
  statistics: 'Statistics',
  baud: 'Baud finder',
} satisfies Record<Tool, string>;

const openTool = createStore<{ readonly tool: Tool | null }>(() => ({ tool: null }));

export function useOpenTool(): Tool | null {
  return useStore(openTool, ({ tool }) => tool);
}

/** Null closes what is open. */
export function showTool(tool: Tool | null): void {
  openTool.setState({ tool });
}
