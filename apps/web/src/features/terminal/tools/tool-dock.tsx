/** The dock: tabs of panels and tools beside the log in one width, over the log, or in its place on a phone. */
import { Tabs } from '@base-ui/react/tabs';
import { ArrowLeft, PanelRightClose } from 'lucide-react';
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useWide } from '../console/use-wide.ts';
import separatorStyles from '../separator.module.css';
import { changeSettings, terminalSettingsNow } from '../settings/settings-store.ts';
import { moreToolsId, panelsButtonId, toolsMenuId } from './dock-ids.ts';
import { usePlotForm } from './drawn-curves.ts';
import {
  type DockTab,
  dropTool,
  isFramesTool,
  openToolNow,
  showTab,
  showTool,
  type Tool,
  type ToolProps,
  tabName,
  tabOf,
  toolNames,
  toolTitleId,
  useDockTabs,
  useOpenTool,
} from './open-tool.ts';
import { useTabMark } from './tab-marks.ts';
import styles from './tool-dock.module.css';

interface LoadedPanel {
  readonly Panel: ComponentType<ToolProps>;
}

/** Fetches the code of a tool when it is first opened. */
const loads = {
  panels: async () => ({ Panel: (await import('../panels/panels-pane.tsx')).PanelsPane }),
  plot: async () => ({ Panel: (await import('./plot/plot-panel.tsx')).PlotPanel }),
  crashes: async () => ({ Panel: (await import('./crash/crash-panel.tsx')).CrashPanel }),
  statistics: async () => ({ Panel: (await import('./statistics/statistics-panel.tsx')).StatisticsPanel }),
  rules: async () => ({ Panel: (await import('./rules/rules-panel.tsx')).RulesPanel }),
  devices: async () => ({ Panel: (await import('./devices/devices-panel.tsx')).DevicesPanel }),
  'name-bytes': async () => ({ Panel: (await import('./name-bytes/name-bytes-panel.tsx')).NameBytesPanel }),
  'board-files': async () => ({ Panel: (await import('./board-files/board-files-panel.tsx')).BoardFilesPanel }),
  decoders: async () => ({ Panel: (await import('./decoders/decoders-panel.tsx')).DecodersPanel }),
} satisfies Record<Tool, () => Promise<LoadedPanel>>;

const loadFramesTools = async () => (await import('./frames-tools.tsx')).FramesTools;
const nothing = () => undefined;

/** Panel of a tool. A failed load takes its tab out of the dock. */
function ToolPanel({ tool, ...props }: ToolProps & { readonly tool: Tool }) {
  const loaded = useLoaded<LoadedPanel>(true, loads[tool], () => dropTool(tool));
  return loaded === null ? null : <loaded.Panel {...props} />;
}

/** Focuses the first of these elements that is shown. */
function focusFirst(ids: readonly string[]): void {
  const elements = ids.map((id) => document.getElementById(id));
  elements.find((element) => element?.checkVisibility?.() ?? element !== null)?.focus();
}

/** Folds the dock, and focuses what opens it again. */
export function foldDock(): void {
  showTool(null);
  // The toolbar may be hidden until the dock no longer covers it.
  requestAnimationFrame(() => focusFirst([panelsButtonId, toolsMenuId, moreToolsId]));
}

/**
 * Place of the dock. `beside`: a column beside the log. `drawer`: over the log. `sheet`: in the place of the console.
 * `half`: above the log, which keeps its newest rows.
 */
export type DockPlace = 'beside' | 'drawer' | 'sheet' | 'half';

/** Least width of a console that has the dock beside it, in px: that of a window of 900 px without a scroll bar. */
const leastForBoth = 860;

/** Width of 80 columns, with time and marks, in px. */
const eightyColumns = 728;

/** Widths of the dock in px: until it was changed, and the least, which it also has in windows up to 1,180 px. */
const startWidth = 520;
const leastWidth = 400;

/** Returns the place of the dock; null while it is folded. */
export function useDockPlace(console: RefObject<HTMLElement | null>): DockPlace | null {
  const tool = useOpenTool();
  const hasRoom = useWide(console, leastForBoth);
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  const hasForm = usePlotForm();
  if (tool === null) {
    return null;
  }
  if (isPhone) {
    return tool === 'plot' && !hasForm ? 'half' : 'sheet';
  }
  return hasRoom && !isNarrow ? 'beside' : 'drawer';
}

/**
 * Returns the element that holds the dock in every place. What was typed into a tool or opened in it stays when the
 * window becomes wider, narrower, or is turned: only the element moves.
 */
export function useToolHost(): HTMLElement {
  const [host] = useState(() => {
    const element = document.createElement('div');
    element.className = styles['host'] ?? '';
    return element;
  });
  return host;
}

/** The place where the dock is shown now. */
export function ToolHostPlace({ host }: { readonly host: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(host), [host]);
  return <div ref={place} className={styles['host']} data-tool-host="" />;
}

interface DockColumnsProps {
  /** The console without its dock. */
  readonly children: ReactNode;
  readonly console: RefObject<HTMLElement | null>;
  /** Null: the dock is not beside the log. */
  readonly dock: ReactNode;
}

/** The log and the dock beside it. The log keeps 80 columns where the window allows. */
export function DockColumns({ children, console, dock }: DockColumnsProps) {
  const hasColumns = useWide(console, eightyColumns + 1 + leastWidth);
  const isFixed = useMediaQuery('(max-width: 1180px)') || !hasColumns;
  const column = usePanelRef();
  const keep = () => {
    const width = column.current?.getSize().inPixels;
    if (dock !== null && width !== undefined) {
      changeSettings({ dockWidth: Math.round(width) });
    }
  };
  return (
    <Group
      orientation="horizontal"
      onLayoutChanged={(_layout, { isUserInteraction }) => (isUserInteraction ? keep() : undefined)}
    >
      <Panel key="log" id="log" minSize={dock !== null && !isFixed ? eightyColumns : 0}>
        {children}
      </Panel>
      {dock === null ? null : (
        <>
          <Separator key="separator" className={separatorStyles['separator']} aria-label="Width of the dock" />
          <Panel
            key={isFixed ? 'fixed' : 'free'}
            id={isFixed ? 'fixed' : 'free'}
            panelRef={column}
            defaultSize={isFixed ? leastWidth : (terminalSettingsNow().dockWidth ?? startWidth)}
            minSize={leastWidth}
            {...(isFixed ? { maxSize: leastWidth } : {})}
            groupResizeBehavior="preserve-pixel-size"
          >
            {dock}
          </Panel>
        </>
      )}
    </Group>
  );
}

interface ToolDockProps extends ToolProps {
  readonly place: DockPlace;
  /** Escape in a dock beside the log leads back to the log. */
  readonly onLeave: () => void;
}

/** The tabs, and the tool in front. */
export function ToolDock({ place, onLeave, ...props }: ToolDockProps) {
  const front = useOpenTool();
  const tabs = useDockTabs();
  const list = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The control that opened the tool may have been removed or covered, which loses the focus. So does a new place.
    // A dock that opens with the page leaves the focus to the page.
    if (front === null || place === null || openToolNow() !== front) {
      return;
    }
    // The tabs know their order in the next frame. A tab that has the focus before is not found by the arrow keys.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) {
        document.getElementById(toolTitleId)?.focus();
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [front, place]);
  useLayoutEffect(() => {
    // On a phone the tabs may be wider than the window.
    if (front !== null) {
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' });
    }
  }, [front]);
  const FramesTools = useLoaded(front !== null && isFramesTool(front), loadFramesTools, nothing);
  if (front === null) {
    return null;
  }
  const isOver = place !== 'beside';
  const pressed = (event: KeyboardEvent) => {
    // React reports keys from the tool's menus and dialogs too, which close themselves.
    const isInside = event.target instanceof Node && dock.current?.contains(event.target) === true;
    if (event.key === 'Escape' && isInside && !event.defaultPrevented) {
      event.preventDefault();
      if (isOver) {
        foldDock();
      } else {
        onLeave();
      }
    }
  };
  const fold = isOver ? (
    <IconButton label="Back to the log" size="sm" variant="quiet" icon={<ArrowLeft />} onClick={foldDock} />
  ) : (
    <IconButton label="Fold the dock" size="sm" variant="quiet" icon={<PanelRightClose />} onClick={foldDock} />
  );
  return (
    <Tabs.Root
      ref={dock}
      render={<section data-tool-dock={place} aria-label={toolNames[front]} onKeyDown={pressed} />}
      className={styles['dock']}
      value={tabOf(front)}
      onValueChange={(tab: DockTab) => showTab(tab)}
    >
      <div className={styles['head']}>
        {isOver ? fold : null}
        <Tabs.List ref={list} activateOnFocus aria-label="Panels and tools" className={styles['tabs']}>
          {tabs.map((tab) => (
            <DockTabButton key={tab} tab={tab} isFront={tab === tabOf(front)} />
          ))}
        </Tabs.List>
        {isOver ? null : fold}
      </div>
      <Tabs.Panel
        value={tabOf(front)}
        className={classNames(styles['panel'], isFramesTool(front) && styles['grouped'])}
        tabIndex={-1}
      >
        <h2 className="visually-hidden">{toolNames[front]}</h2>
        {FramesTools !== null && isFramesTool(front) ? <FramesTools tool={front} /> : null}
        <ToolPanel key={front} tool={front} {...props} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function DockTabButton({ tab, isFront }: { readonly tab: DockTab; readonly isFront: boolean }) {
  const mark = useTabMark(tab);
  return (
    <Tabs.Tab
      value={tab}
      id={isFront ? toolTitleId : undefined}
      className={classNames(styles['tab'], isFront && styles['selected'])}
    >
      {tabName(tab)}
      {mark === 0 ? null : (
        <span className={classNames(styles['mark'], tab === 'crashes' && styles['bad'])}>{mark}</span>
      )}
    </Tabs.Tab>
  );
}
