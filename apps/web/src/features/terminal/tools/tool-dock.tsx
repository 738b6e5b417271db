/** The open tools: one beside the log in a width of its own, over the log, or in its place on a phone. */
import { Tabs } from '@base-ui/react/tabs';
import { X } from 'lucide-react';
import {
  type ComponentType,
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
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { useWide } from '../console/use-wide.ts';
import separatorStyles from '../separator.module.css';
import { changeSettings, terminalSettingsNow } from '../settings/settings-store.ts';
import {
  closeTool,
  showTool,
  type Tool,
  type ToolProps,
  toolHeadId,
  toolNames,
  toolTitleId,
  useOpenTool,
  useOpenTools,
} from './open-tool.ts';
import styles from './tool-dock.module.css';
import { moreToolsId, toolsMenuId } from './tools-menu.tsx';

interface LoadedPanel {
  readonly Panel: ComponentType<ToolProps>;
}

/** Fetches the code of a tool when it is first opened. */
const loads = {
  plot: async () => ({ Panel: (await import('./plot/plot-panel.tsx')).PlotPanel }),
  crashes: async () => ({ Panel: (await import('./crash/crash-panel.tsx')).CrashPanel }),
  statistics: async () => ({ Panel: (await import('./statistics/statistics-panel.tsx')).StatisticsPanel }),
  rules: async () => ({ Panel: (await import('./rules/rules-panel.tsx')).RulesPanel }),
  devices: async () => ({ Panel: (await import('./devices/devices-panel.tsx')).DevicesPanel }),
  'name-bytes': async () => ({ Panel: (await import('./name-bytes/name-bytes-panel.tsx')).NameBytesPanel }),
  'board-files': async () => ({ Panel: (await import('./board-files/board-files-panel.tsx')).BoardFilesPanel }),
  decoders: async () => ({ Panel: (await import('./decoders/decoders-panel.tsx')).DecodersPanel }),
} satisfies Record<Tool, () => Promise<LoadedPanel>>;

/** Panel of a tool. A failed load closes the tool. */
function ToolPanel({ tool, ...props }: ToolProps & { readonly tool: Tool }) {
  const loaded = useLoaded<LoadedPanel>(true, loads[tool], () => closeTool(tool));
  return loaded === null ? null : <loaded.Panel {...props} />;
}

/** Closes the tool in front, and focuses the Tools menu, or the button that leads to it in a small window. */
export function leaveTool(tool: Tool): void {
  closeTool(tool);
  // The menu may be hidden until the tool no longer covers it.
  requestAnimationFrame(() => {
    const menu = document.getElementById(toolsMenuId);
    const isShown = menu?.checkVisibility?.() ?? true;
    (isShown ? menu : document.getElementById(moreToolsId))?.focus();
  });
}

/**
 * Place of the tool. `beside`: a column beside the log. `drawer`: over the log. `sheet`: in the place of the console.
 * `half`: above the log, which keeps its newest rows.
 */
export type ToolPlace = 'beside' | 'drawer' | 'sheet' | 'half';

/** Least width of a console that has a tool beside it, in px: a window of 900 px without the rail of the panels. */
const leastForBoth = 860;

/**
 * The same for the tool that names bytes of an opened frame in the log, which has to stay in sight: the tool's least width and
 * 340 px for the log, which is what settings and panels leave in a window of 1,366 px.
 */
const leastForFrame = 420 + 1 + 340;

/** Width of 80 columns, with time and marks, in px. */
const eightyColumns = 728;

/** Widths of a tool: the one that it starts with, which it keeps where the log has less than 80 columns, and the least. */
const narrow = { start: 352, kept: 352, least: 280 };
const wide = { start: '45vw', kept: 420, least: 420 };

const toolWidths = {
  plot: wide,
  crashes: wide,
  statistics: narrow,
  rules: narrow,
  'name-bytes': wide,
  'board-files': wide,
  devices: narrow,
  decoders: wide,
} satisfies Record<Tool, { readonly start: number | string; readonly kept: number; readonly least: number }>;

/** Returns the place of the tool in front; null if no tool is open. */
export function useToolPlace(console: RefObject<HTMLElement | null>): ToolPlace | null {
  const tool = useOpenTool();
  const hasRoom = useWide(console, tool === 'name-bytes' ? leastForFrame : leastForBoth);
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  if (tool === null) {
    return null;
  }
  if (isPhone) {
    return tool === 'plot' ? 'half' : 'sheet';
  }
  return hasRoom && !isNarrow ? 'beside' : 'drawer';
}

/**
 * Returns the element that holds the tool in every place. What was typed into a tool or opened in it stays when the
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

/** The place where the tool is shown now. */
export function ToolHostPlace({ host }: { readonly host: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(host), [host]);
  return <div ref={place} className={styles['host']} data-tool-host="" />;
}

interface ToolColumnsProps {
  /** The console without its tools. */
  readonly children: ReactNode;
  readonly console: RefObject<HTMLElement | null>;
  /** Tool in the column. Null: none is beside the log. */
  readonly tool: Tool | null;
  readonly dock: ReactNode;
}

/** The log and the tool beside it. The log keeps 80 columns where the window allows. */
export function ToolColumns({ children, console, tool, dock }: ToolColumnsProps) {
  const { start, kept, least } = toolWidths[tool ?? 'rules'];
  const hasColumns = useWide(console, eightyColumns + 1 + kept);
  const column = usePanelRef();
  const keep = () => {
    const width = column.current?.getSize().inPixels;
    if (tool !== null && width !== undefined) {
      changeSettings({ toolWidths: { ...terminalSettingsNow().toolWidths, [tool]: Math.round(width) } });
    }
  };
  return (
    <Group
      orientation="horizontal"
      onLayoutChanged={(_layout, { isUserInteraction }) => (isUserInteraction ? keep() : undefined)}
    >
      <Panel key="log" id="log" minSize={tool !== null && hasColumns ? eightyColumns : 0}>
        {children}
      </Panel>
      {tool === null ? null : (
        <>
          <Separator key="separator" className={separatorStyles['separator']} aria-label="Width of the tools" />
          <Panel
            key={tool}
            id={tool}
            panelRef={column}
            defaultSize={terminalSettingsNow().toolWidths[tool] ?? start}
            minSize={least}
            {...(hasColumns ? {} : { maxSize: kept })}
            groupResizeBehavior={typeof start === 'number' ? 'preserve-pixel-size' : 'preserve-relative-size'}
          >
            {dock}
          </Panel>
        </>
      )}
    </Group>
  );
}

interface ToolDockProps extends ToolProps {
  readonly place: ToolPlace;
}

/** The tool in front with its title, or with tabs if several are open. */
export function ToolDock({ place, ...props }: ToolDockProps) {
  const front = useOpenTool();
  const all = useOpenTools();
  const crashes = useIncidents().filter(({ severity }) => severity === 'fault').length;
  useEffect(() => {
    // The control that opened the tool may have been removed or covered, which loses the focus. So does a new place.
    if (front !== null && place !== null && document.activeElement === document.body) {
      document.getElementById(toolTitleId)?.focus();
    }
  }, [front, place]);
  if (front === null) {
    return null;
  }
  const title = (tool: Tool) => (
    <>
      {toolNames[tool]}
      {tool === 'crashes' && crashes > 0 ? <span className={styles['count']}>{crashes}</span> : null}
    </>
  );
  const panel = <ToolPanel key={front} tool={front} {...props} />;
  return (
    <Tabs.Root
      render={<section data-tool-dock={place} aria-label={toolNames[front]} />}
      className={classNames(styles['dock'], toolWidths[front] === wide && styles['wide'])}
      value={front}
      onValueChange={(tool: Tool) => showTool(tool)}
    >
      <div className={styles['head']}>
        {all.length > 1 ? (
          <Tabs.List activateOnFocus aria-label="Tools" className={styles['tabs']}>
            {all.map((tool) => (
              <Tabs.Tab
                key={tool}
                value={tool}
                id={tool === front ? toolTitleId : undefined}
                className={classNames(styles['tab'], tool === front && styles['selected'])}
              >
                {title(tool)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        ) : (
          <h2 id={toolTitleId} tabIndex={-1} className={styles['title']}>
            {title(front)}
          </h2>
        )}
        <div id={toolHeadId} className={styles['more']} />
        <IconButton
          label={`Close ${toolNames[front]}`}
          size="sm"
          variant="quiet"
          icon={<X />}
          onClick={() => leaveTool(front)}
        />
      </div>
      {all.length > 1 ? (
        <Tabs.Panel value={front} className={styles['panel']} tabIndex={-1}>
          {panel}
        </Tabs.Panel>
      ) : (
        <div className={styles['panel']}>{panel}</div>
      )}
    </Tabs.Root>
  );
}
