import { logPage } from '@wirebench/contract/constants';
import { Activity, Bug, ChartNoAxesColumn, FileText, FolderTree, Gauge, ListChecks, Wifi, Wrench } from 'lucide-react';
import { use } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from '../console/toolbar.module.css';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { showTool, type Tool, toolNames, toolsFor, toolTabId, useOpenTool } from './open-tool.ts';

const icons = {
  plot: <Activity />,
  crashes: <Bug />,
  statistics: <ChartNoAxesColumn />,
  rules: <ListChecks />,
  baud: <Gauge />,
  'board-files': <FolderTree />,
} satisfies Record<Tool, unknown>;

export const toolsMenuId = 'tools-menu';
/** Id of the button that opens the row of the Tools menu in a small window. */
export const moreToolsId = 'more-tools';

/**
 * Menu that opens one of the tools. In the second row of a small window's toolbar it folds that row, which would lie
 * over the tool, and moves the focus to the tool's tab.
 */
export function ToolsMenu() {
  const open = useOpenTool();
  const { banner, isReadOnly } = use(TerminalSlotsContext);
  const folds = useTerminalSession((session) => session.moreTools);
  const shown = toolsFor(isReadOnly);
  const port = useTerminalSession((session) => session.selectedPort);
  const canSetUp = useBenchStatus(
    ({ status, devices }) => status.ports[port].state === 'connected' && devices[port]?.kind !== 'remote',
  );
  const choose = (tool: Tool) => {
    showTool(tool === open ? null : tool);
    if (folds && tool !== open) {
      changeTerminalSession({ moreTools: false });
      // The menu is closed in the next frame.
      requestAnimationFrame(() => document.getElementById(toolTabId(tool))?.focus());
    }
  };
  return (
    <Menu
      align="end"
      items={[
        ...shown.map((tool) => ({
          label: toolNames[tool],
          icon: icons[tool],
          checked: tool === open,
          onSelect: () => choose(tool),
          movesFocus: folds && tool !== open,
        })),
        ...(canSetUp
          ? ([
              'separator',
              {
                label: 'Set up Wi-Fi (Improv)…',
                icon: <Wifi />,
                onSelect: () => changeTerminalSession({ wifiPort: port }),
                movesFocus: true,
              },
            ] as const)
          : []),
        // Guests of a shared bench, and opened logs, have a banner.
        ...(banner === null
          ? ([
              'separator',
              { label: 'Open a log…', icon: <FileText />, onSelect: () => window.open(logPage, '_blank') },
            ] as const)
          : []),
      ]}
      trigger={(props) => (
        <Button {...props} id={toolsMenuId} size="sm" variant="quiet" icon={<Wrench />} aria-label="Tools">
          <span className={styles['word']}>Tools</span>
        </Button>
      )}
    />
  );
}
