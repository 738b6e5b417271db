/** The tool that is open, docked below the log: the log makes room for it. */
import { X } from 'lucide-react';
import { type ComponentType, type KeyboardEvent, useEffect, useRef } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { nextMember } from '../../../shared/ui/roving-focus.ts';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { BaudPanel } from './baud/baud-panel.tsx';
import { CrashPanel } from './crash/crash-panel.tsx';
import { showTool, type Tool, toolNames, tools, useOpenTool } from './open-tool.ts';
import { PlotPanel } from './plot/plot-panel.tsx';
import { StatisticsPanel } from './statistics/statistics-panel.tsx';
import styles from './tool-dock.module.css';
import { toolsMenuId } from './tools-menu.tsx';

export interface ToolProps {
  /** Shows the lines of this time in the log, in milliseconds since the Unix epoch. */
  readonly onShowTime: (at: number) => void;
}

const panels = {
  plot: PlotPanel,
  crashes: CrashPanel,
  statistics: StatisticsPanel,
  baud: BaudPanel,
} satisfies Record<Tool, ComponentType<ToolProps>>;

const tabId = (tool: Tool) => `tool-tab-${tool}`;

/** The focus goes back to where tools are opened. */
function close(): void {
  showTool(null);
  document.getElementById(toolsMenuId)?.focus();
}

export function ToolDock(props: ToolProps) {
  const open = useOpenTool();
  const crashes = useIncidents().filter(({ severity }) => severity === 'fault').length;
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was pressed to open it may be gone by now: the focus must not go with it.
    if (open !== null && document.activeElement === document.body) {
      document.getElementById(tabId(open))?.focus();
    }
  }, [open]);
  if (open === null) {
    return null;
  }
  const Panel = panels[open];
  const move = (event: KeyboardEvent) => {
    const index = nextMember(event.key, tools.indexOf(open), tools.length);
    const tool = index === undefined ? undefined : tools[index];
    if (tool !== undefined) {
      event.preventDefault();
      showTool(tool);
      tabs.current?.querySelector<HTMLElement>(`#${tabId(tool)}`)?.focus();
    }
  };
  return (
    <section data-tool-dock className={styles['dock']} aria-label="Tools">
      <div className={styles['head']}>
        <div ref={tabs} role="tablist" aria-label="Tools" className={styles['tabs']} onKeyDown={move}>
          {tools.map((tool) => (
            <button
              key={tool}
              type="button"
              role="tab"
              id={tabId(tool)}
              aria-selected={tool === open}
              aria-controls={tool === open ? 'tool-panel' : undefined}
              tabIndex={tool === open ? 0 : -1}
              className={classNames(styles['tab'], tool === open && styles['selected'])}
              onClick={() => showTool(tool)}
            >
              {toolNames[tool]}
              {tool === 'crashes' && crashes > 0 ? <span className={styles['count']}>{crashes}</span> : null}
            </button>
          ))}
        </div>
        <IconButton label="Close the tools" size="sm" variant="quiet" icon={<X />} onClick={close} />
      </div>
      <div id="tool-panel" role="tabpanel" aria-labelledby={tabId(open)} className={styles['panel']}>
        <Panel {...props} />
      </div>
    </section>
  );
}
