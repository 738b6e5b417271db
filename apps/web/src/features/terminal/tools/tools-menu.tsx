import { logPage } from '@wirebench/contract/constants';
import { portNumbers } from '@wirebench/serial';
import {
  Activity,
  Binary,
  Bug,
  ChartNoAxesColumn,
  FileText,
  FolderTree,
  ListChecks,
  Rows3,
  Search,
  Wifi,
  Wrench,
} from 'lucide-react';
import { use } from 'react';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { useDroppedIncidents } from '../../../workbench/crash/dropped-logs.ts';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { useCoreDumps, useSymbolFiles } from '../../../workbench/crash/symbol-files.ts';
import { decoderIdOf, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import styles from '../console/toolbar.module.css';
import { displayOf, hasDecoder, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { takeDroppedFile } from './dropped-files.tsx';
import {
  closeTool,
  notePython,
  showTool,
  type Tool,
  toolNames,
  toolTitleId,
  useHasPython,
  useOpenTool,
  useOpenTools,
} from './open-tool.ts';

const icons = {
  plot: <Activity />,
  crashes: <Bug />,
  statistics: <ChartNoAxesColumn />,
  rules: <ListChecks />,
  'board-files': <FolderTree />,
  devices: <Search />,
  'name-bytes': <Binary />,
  decoders: <Rows3 />,
} satisfies Record<Tool, unknown>;

benchStatus.onTick(({ boards, advice, devices }) => {
  const isSeen = portNumbers.some(
    (port) => devices[port]?.kind !== 'remote' && (boards[port].banner !== null || advice[port].isPython),
  );
  if (isSeen) {
    notePython();
  }
});

const loadKept = () => import('../../../workbench/decoders/kept-decoders.ts');
const nothing = () => undefined;

/** Returns true if a port has the decoder of Modbus, or one of a person's own for Modbus. */
function useHasModbus(): boolean {
  const chosen = useTerminalSettings(({ ports }) => portNumbers.map((port) => ports[port].decoder ?? '').join(' '));
  const decoders = chosen.split(' ').map(decoderIdOf);
  const own = decoders.filter(isOwnDecoder);
  const kept = useLoaded(own.length > 0, loadKept, nothing);
  return decoders.includes('modbus') || (kept !== null && own.some((id) => kept.keptHasStep(id, 'modbus')));
}

/** Returns the tools that have a use now, and those that are open. An opened log has none that act on a port. */
function useUsefulTools(isReadOnly: boolean): readonly Tool[] {
  const open = useOpenTools();
  const crashed = useIncidents().some(({ severity }) => severity === 'fault');
  const dropped = useDroppedIncidents().length > 0;
  const files = useSymbolFiles().length + useCoreDumps().length > 0;
  const hasPython = useHasPython();
  const hasModbus = useHasModbus();
  // In text, there is nothing to take apart.
  const showsBytes = useTerminalSettings((settings) => displayOf(settings) !== 'text');
  const hasFrames = useTerminalSettings(({ ports }) => hasDecoder(ports));
  return [
    'plot',
    'rules',
    'statistics',
    ...(isReadOnly || crashed || dropped || files || open.includes('crashes') ? (['crashes'] as const) : []),
    ...(!isReadOnly && (hasPython || open.includes('board-files')) ? (['board-files'] as const) : []),
    ...(!isReadOnly && (hasModbus || open.includes('devices')) ? (['devices'] as const) : []),
    ...(showsBytes || open.includes('name-bytes') ? (['name-bytes'] as const) : []),
    ...(hasFrames || open.includes('decoders') ? (['decoders'] as const) : []),
  ];
}

export const toolsMenuId = 'tools-menu';
/** Id of the button that opens the row of the Tools menu in a small window. */
export const moreToolsId = 'more-tools';

/**
 * Menu that opens a tool, or closes the one in front. In a narrow window it moves the focus to the tool, and folds the
 * second row of the toolbar, which would lie over it.
 */
export function ToolsMenu() {
  const open = useOpenTool();
  const { banner, isReadOnly } = use(TerminalSlotsContext);
  const folds = useTerminalSession((session) => session.moreTools);
  const shown = useUsefulTools(isReadOnly);
  const port = useTerminalSession((session) => session.selectedPort);
  const canSetUp = useBenchStatus(
    ({ status, devices, improv }) =>
      status.ports[port].state === 'connected' && devices[port]?.kind !== 'remote' && improv[port].isHeard,
  );
  // In a narrow window the tool covers the menu.
  const isNarrow = useMediaQuery(media.tablet);
  const movesFocus = (tool: Tool) => (folds || isNarrow) && tool !== open;
  const choose = (tool: Tool) => {
    if (tool === open) {
      closeTool(tool);
      return;
    }
    showTool(tool);
    if (movesFocus(tool)) {
      changeTerminalSession({ moreTools: false });
      // The menu is closed in the next frame.
      requestAnimationFrame(() => document.getElementById(toolTitleId)?.focus());
    }
  };
  const opens = [
    // Until Crashes is in the menu, this leads there.
    ...(shown.includes('crashes')
      ? []
      : [{ label: 'Open an ELF file…', icon: <Bug />, onSelect: chooseFiles, movesFocus: true }]),
    // Guests of a shared bench, and opened logs, have a banner.
    ...(banner === null
      ? [{ label: 'Open a log…', icon: <FileText />, onSelect: () => window.open(logPage, '_blank') }]
      : []),
  ];
  return (
    <Menu
      align="end"
      items={[
        ...shown.map((tool) => ({
          label: toolNames[tool],
          icon: icons[tool],
          checked: tool === open,
          onSelect: () => choose(tool),
          movesFocus: movesFocus(tool),
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
        ...(opens.length > 0 ? (['separator', ...opens] as const) : []),
      ]}
      trigger={(props) => (
        <Button {...props} id={toolsMenuId} size="sm" variant="quiet" icon={<Wrench />} aria-label="Tools">
          <span className={styles['word']}>Tools</span>
        </Button>
      )}
    />
  );
}

/** Asks for files, and takes them as dropped ones. An ELF file opens Crashes. */
function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    for (const file of input.files ?? []) {
      void takeDroppedFile({ file });
    }
  });
  input.click();
}
