/** The open tools. Kept until the page is closed. */
import { pageStore } from '../../../shared/page-store.ts';

export type Tool = 'plot' | 'rules' | 'statistics' | 'crashes' | 'board-files' | 'devices' | 'name-bytes' | 'decoders';

export const toolNames = {
  plot: 'Plot',
  crashes: 'Crashes',
  statistics: 'Statistics',
  rules: 'Rules',
  'board-files': 'Board files',
  devices: 'Look for devices',
  'name-bytes': 'Name bytes',
  decoders: 'Decoders',
} satisfies Record<Tool, string>;

export interface ToolProps {
  /**
   * Shows the log's lines at a time.
   *
   * @param at Milliseconds since the Unix epoch.
   */
  readonly onShowTime: (at: number) => void;
  /** Brings the log into view where the tool is in its place: other lines are shown in it. */
  readonly onFound: () => void;
}

/** Id of the title of the tool in front: its heading, or its tab if several are open. */
export const toolTitleId = 'tool-title';

/** Id of the place beside the title, where a tool may put controls of its own. */
export const toolHeadId = 'tool-head';

interface OpenTools {
  /** In the order of their tabs. */
  readonly all: readonly Tool[];
  readonly front: Tool | null;
  /** True: a board of this bench has shown the prompt of Python, so the tool for its files has a use. */
  readonly hasPython: boolean;
}

const openTools = pageStore<OpenTools>({ all: [], front: null, hasPython: false });

/** Returns the tool in front. Null: no tool is open. */
export function useOpenTool(): Tool | null {
  return openTools.use(({ front }) => front);
}

export function useOpenTools(): readonly Tool[] {
  return openTools.use(({ all }) => all);
}

export function useHasPython(): boolean {
  return openTools.use(({ hasPython }) => hasPython);
}

/** Stays until the page is closed. */
export function notePython(): void {
  if (!openTools.getState().hasPython) {
    openTools.setState({ hasPython: true });
  }
}

export const openToolNow = (): Tool | null => openTools.getState().front;

/** Opens a tool, or brings an open one to the front. Null closes all. */
export function showTool(tool: Tool | null): void {
  const { all } = openTools.getState();
  openTools.setState({ all: tool === null ? [] : all.includes(tool) ? all : [...all, tool], front: tool });
}

/** Closes a tool. The one opened last of the others comes to the front. */
export function closeTool(tool: Tool): void {
  const all = openTools.getState().all.filter((other) => other !== tool);
  openTools.setState({ all, front: all.at(-1) ?? null });
}

/** Calls `act` each time when `tool` is no longer in front: it is closed, or another one covers it. */
export function onToolLeave(tool: Tool, act: () => void): void {
  openTools.subscribe((now, before) => {
    if (before.front === tool && now.front !== tool) {
      act();
    }
  });
}
