import { Activity, Bug, ChartNoAxesColumn, FolderTree, Gauge, Wrench } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import styles from '../console/toolbar.module.css';
import { showTool, type Tool, toolNames, tools, useOpenTool } from './open-tool.ts';

const icons = {
  plot: <Activity />,
  crashes: <Bug />,
  statistics: <ChartNoAxesColumn />,
  baud: <Gauge />,
  'board-files': <FolderTree />,
} satisfies Record<Tool, unknown>;

export const toolsMenuId = 'tools-menu';

/** Menu that opens one of the tools. */
export function ToolsMenu() {
  const open = useOpenTool();
  return (
    <Menu
      align="end"
      items={tools.map((tool) => ({
        label: toolNames[tool],
        icon: icons[tool],
        checked: tool === open,
        onSelect: () => showTool(tool === open ? null : tool),
      }))}
      trigger={(props) => (
        <Button {...props} id={toolsMenuId} size="sm" variant="quiet" icon={<Wrench />} aria-label="Tools">
          <span className={styles['word']}>Tools</span>
        </Button>
      )}
    />
  );
}
