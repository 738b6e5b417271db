/** Docks the open tool beside or below the log. */
import { Tabs } from '@base-ui/react/tabs';
import { Maximize2, Minimize2, X } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { BaudPanel } from './baud/baud-panel.tsx';
import { CrashPanel } from './crash/crash-panel.tsx';
import {
  setLargeTool,
  showTool,
  type Tool,
  type ToolProps,
  toolNames,
  tools,
  toolTabId,
  useOpenTool,
} from './open-tool.ts';
import { PlotPanel } from './plot/plot-panel.tsx';
import { StatisticsPanel } from './statistics/statistics-panel.tsx';
import styles from './tool-dock.module.css';
import { moreToolsId, toolsMenuId } from './tools-menu.tsx';

const RulesPanel = lazy(async () => ({ default: (await import('./rules/rules-panel.tsx')).RulesPanel }));

const BoardFilesPanel = lazy(async () => {
  const { BoardFilesPanel: component } = await import('./board-files/board-files-panel.tsx');
  return { default: component };
});

const panels = {
  plot: PlotPanel,
  crashes: CrashPanel,
  statistics: StatisticsPanel,
  rules: RulesPanel,
  baud: BaudPanel,
  'board-files': BoardFilesPanel,
} satisfies Record<Tool, ComponentType<ToolProps>>;

/** Closes the tool and focuses the Tools menu, or the button that leads to it in a small window. */
function close(): void {
  showTool(null);
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
  const Panel = panels[open];
  return (
    <Tabs.Root
      render={<section data-tool-dock={isBeside ? 'beside' : ''} aria-label="Tools" />}
      className={styles['dock']}
      value={open}
      onValueChange={(tool: Tool) => showTool(tool)}
    >
      <div className={styles['head']}>
        <Tabs.List activateOnFocus aria-label="Tools" className={styles['tabs']}>
          {tools.map((tool) => (
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
          <IconButton label="Close the tools" size="sm" variant="quiet" icon={<X />} onClick={close} />
        </div>
      </div>
      <Tabs.Panel value={open} className={styles['panel']} tabIndex={-1}>
        <Suspense>
          <Panel {...props} />
        </Suspense>
      </Tabs.Panel>
    </Tabs.Root>
  );
}
