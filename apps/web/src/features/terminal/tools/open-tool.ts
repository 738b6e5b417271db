/**
 * The dock beside the log: which tool is in front, and which tabs the dock has. Kept until the page is closed; whether the
 * panels are shown is a setting.
 */
import { use } from 'react';
import { pageStore } from '../../../shared/page-store.ts';
import { media } from '../../../shared/styles/media.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { showShareDialog } from '../../../workbench/sharing/sharing-store.ts';
import { usePanels } from '../panels/store/panels-store.ts';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';

export type Tool =
  | 'panels'
  | 'plot'
  | 'statistics'
  | 'crashes'
  | 'name-bytes'
  | 'devices'
  | 'decoders'
  | 'rules'
  | 'board-files';

export const toolNames = {
  panels: 'Panels',
  plot: 'Plot',
  statistics: 'Statistics',
  crashes: 'Crashes',
  'name-bytes': 'Registers and bytes',
  devices: 'Look for Modbus devices',
  decoders: 'Decoders',
  rules: 'Rules',
  'board-files': 'Board files',
} satisfies Record<Tool, string>;

/** Tools of the tab *Frames*, with their names in it. */
export const framesTools = { 'name-bytes': 'Registers', devices: 'Devices', decoders: 'Decoders' } as const;

type FramesTool = keyof typeof framesTools;

/** Tabs of the dock, in the order in which they stand and the Tools menu lists them. */
const tabs = ['panels', 'plot', 'statistics', 'crashes', 'frames', 'rules', 'board-files'] as const;

export type DockTab = (typeof tabs)[number];

/** Tabs beside *Panels*, which is always there. */
const mostTabs = 3;

export const isFramesTool = (tool: Tool): tool is FramesTool => tool in framesTools;

export const tabOf = (tool: Tool): DockTab => (isFramesTool(tool) ? 'frames' : tool);

export const tabName = (tab: DockTab): string => (tab === 'frames' ? 'Frames' : toolNames[tab]);

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

/** Id of the tab in front. */
export const toolTitleId = 'tool-title';

interface Dock {
  /** Null: it was neither opened nor folded on this page. It is open if panels are to be shown. */
  readonly isOpen: boolean | null;
  readonly front: Tool;
  /** Tabs used last, the last one first. */
  readonly used: readonly DockTab[];
  /** Tool that the tab *Frames* shows. */
  readonly framesTool: FramesTool;
}

const closed: Dock = { isOpen: null, front: 'panels', used: [], framesTool: 'name-bytes' };

const dock = pageStore<Dock>(closed);

/** Returns the tool in front. Null: the dock is folded. */
export function useOpenTool(): Tool | null {
  const isOpen = dock.use((state) => state.isOpen);
  const front = dock.use((state) => state.front);
  const { isReadOnly } = use(TerminalSlotsContext);
  const kept = useTerminalSettings(({ panelsShown }) => panelsShown);
  const hasCommands = usePanels((panels) => panels.some(({ pinnedMessages }) => pinnedMessages.length > 0));
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const isLow = useMediaQuery(media.low);
  if (isOpen !== null) {
    return isOpen ? front : null;
  }
  // Nothing opens over the log by itself.
  return !isReadOnly && !isNarrow && !isLow && (kept ?? hasCommands) ? 'panels' : null;
}

/** Returns the tabs of the dock. Opened logs have no panels. */
export function useDockTabs(): readonly DockTab[] {
  const used = dock.use((state) => state.used);
  const { isReadOnly } = use(TerminalSlotsContext);
  return tabs.filter((tab) => (tab === 'panels' ? !isReadOnly : used.includes(tab)));
}

/** Returns the tool that was brought to the front on this page. Null: none, or the dock was folded since. */
export function openToolNow(): Tool | null {
  const { isOpen, front } = dock.getState();
  return isOpen === true ? front : null;
}

/** Brings a tool to the front of the dock, in the place of the dialog of *Share*. Null folds the dock. */
export function showTool(tool: Tool | null): void {
  if (tool === null) {
    dock.setState({ isOpen: false });
    if (dock.getState().front === 'panels') {
      changeSettings({ panelsShown: false });
    }
    return;
  }
  showShareDialog(null);
  const tab = tabOf(tool);
  dock.setState(({ used, framesTool }) => ({
    isOpen: true,
    front: tool,
    used: tab === 'panels' ? used : [tab, ...used.filter((other) => other !== tab)].slice(0, mostTabs),
    framesTool: isFramesTool(tool) ? tool : framesTool,
  }));
  if (tool === 'panels') {
    changeSettings({ panelsShown: true });
  }
}

/** Gives a tool its tab in the dock. The tool in front stays there. */
export function offerTool(tool: Tool): void {
  const tab = tabOf(tool);
  dock.setState(({ used }) => (used.includes(tab) ? {} : { used: [...used.slice(0, mostTabs - 1), tab] }));
}

/** Brings a tab to the front, with the tool that it showed last. */
export function showTab(tab: DockTab): void {
  showTool(tab === 'frames' ? dock.getState().framesTool : tab);
}

/** Takes the tab of a tool out of the dock, and folds it. */
export function dropTool(tool: Tool): void {
  dock.setState(({ used }) => ({ isOpen: false, used: used.filter((tab) => tab !== tabOf(tool)) }));
}

/** Calls `act` each time when `tool` is no longer in front: the dock is folded, or another tool covers it. */
export function onToolLeave(tool: Tool, act: () => void): void {
  const isInFront = ({ isOpen, front }: Dock) => isOpen === true && front === tool;
  dock.subscribe((now, before) => {
    if (isInFront(before) && !isInFront(now)) {
      act();
    }
  });
}
