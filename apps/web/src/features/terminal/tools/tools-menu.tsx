import { logPage } from '@wirebench/contract/constants';
import { Activity, Bug, ChartNoAxesColumn, FileText, Gauge, Wrench } from 'lucide-react';
import { use } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import styles from '../console/toolbar.module.css';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { showTool, type Tool, toolNames, tools, useOpenTool } from './open-tool.ts';

const icons = {
  plot: <Activity />,
  crashes: <Bug />,
  statistics: <ChartNoAxesColumn />,
  baud: <Gauge />,
} satisfies Record<Tool, unknown>;

export const toolsMenuId = 'tools-menu';

/** Menu that opens one of the tools. */
export function ToolsMenu() {
  const open = useOpenTool();
  const { banner, isReadOnly } = use(TerminalSlotsContext);
  const shown = tools.filter((tool) => tool !== 'baud' || !isReadOnly);
  return (
    <Menu
      align="end"
      items={[
        ...shown.map((tool) => ({
          label: toolNames[tool],
          icon: icons[tool],
          checked: tool === open,
          onSelect: () => showTool(tool === open ? null : tool),
        })),
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
