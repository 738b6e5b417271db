/** Docks the open tool beside or below the log. */
import { Tabs } from '@base-ui/react/tabs';
import { Maximize2, Minimize2, X } from 'lucide-react';
import { type ComponentType, use, useEffect } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import {
  setLargeTool,
  showTool,
  type Tool,
  type ToolProps,
  toolNames,
  toolsFor,
  toolTabId,
  useOpenTool,
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
  baud: async () => ({ Panel: (await import('./baud/baud-panel.tsx')).BaudPanel }),
  'board-files': async () => ({ Panel: (await import('./board-files/board-files-panel.tsx')).BoardFilesPanel }),
} satisfies Record<Tool, () => Promise<LoadedPanel>>;

const close = () => showTool(null);

/** Panel of a tool. A failed load closes the tool. */
function ToolPanel({ tool, ...props }: ToolProps & { readonly tool: Tool }) {
  const loaded = useLoaded<LoadedPanel>(true, loads[tool], close);
  return loaded === null ? null : <loaded.Panel {...props} />;
}

/** Closes the tool and focuses the Tools menu, or the button that leads to it in a small window. */
function closeTool(): void {
  close();
  const menu = document.getElementById(toolsMenuId);
  const isShown = menu?.checkVisibility?.() ?? true;
  (isShown ? menu : document.getElementById(moreToolsId))?.focus();
}

interface ToolDockProps extends ToolProps {
  /** True: at the right of the log, at full height. False: below it. */
  readonly isBeside: boolean;
  /** True: the tool takes most of the height below the log, or all of it in a small window. */
  readonly isLarge: boolean;
}

export function ToolDock({ isBeside, isLarge, ...props }: ToolDockProps) {
  const open = useOpenTool();
  const { isReadOnly } = use(TerminalSlotsContext);
  const crashes = useIncidents().filter(({ severity }) => severity === 'fault').length;
  useEffect(() => {
    // The control that opened the tool may have been removed, which loses the focus.
    if (open !== null && document.activeElement === document.body) {
      document.getElementById(toolTabId(open))?.focus();
    }
  }, [open]);
  if (open === null) {
    return null;
  }
  return (
    <Tabs.Root
      render={<section data-tool-dock={isBeside ? 'beside' : ''} aria-label="Tools" />}
      className={styles['dock']}
      value={open}
      onValueChange={(tool: Tool) => showTool(tool)}
    >
      <div className={styles['head']}>
        <Tabs.List activateOnFocus aria-label="Tools" className={styles['tabs']}>
          {toolsFor(isReadOnly).map((tool) => (
            <Tabs.Tab
              key={tool}
              value={tool}
              id={toolTabId(tool)}
              className={classNames(styles['tab'], tool === open && styles['selected'])}
            >
              {toolNames[tool]}
              {tool === 'crashes' && crashes > 0 ? <span className={styles['count']}>{crashes}</span> : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={styles['actions']}>
          {isBeside ? null : (
            <IconButton
              label={isLarge ? 'Make the tools smaller' : 'Make the tools larger'}
              size="sm"
              variant="quiet"
              icon={isLarge ? <Minimize2 /> : <Maximize2 />}
              onClick={() => setLargeTool(!isLarge)}
            />
          )}
          <IconButton label="Close the tools" size="sm" variant="quiet" icon={<X />} onClick={closeTool} />
        </div>
      </div>
      <Tabs.Panel value={open} className={styles['panel']} tabIndex={-1}>
        <ToolPanel key={open} tool={open} {...props} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
