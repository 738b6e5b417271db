import { endingOf } from '@wirebench/runs';
import type { LineEnding } from '@wirebench/serial';
import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  Copy,
  EllipsisVertical,
  FileDown,
  FileUp,
  Pencil,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, use, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { endDrag, startDrag } from './drag.ts';
import { exportJkit, importJkit } from './jkit-files.ts';
import { type DevicePanel, longestPanelName } from './model/device-panel.ts';
import styles from './panel-head.module.css';
import { PanelSlotsContext } from './panel-slots-context.ts';
import { loadExports } from './run/runs.ts';
import { RunButton } from './run-button.tsx';
import {
  removeDevicePanel,
  renameDevicePanel,
  setCollapsed,
  setEnding,
  stepDevicePanel,
} from './store/panel-actions.ts';
import { useOtherOwner } from './store/panel-owner.ts';
import { TargetMenu } from './target-menu.tsx';

export interface PanelHeadProps {
  readonly panel: DevicePanel;
  readonly place: number;
  readonly count: number;
}

interface PanelNameProps {
  readonly panel: DevicePanel;
  /** @param byKey True: editing ended by Enter or Escape, so the caller has to move the focus. */
  readonly onDone: (byKey: boolean) => void;
}

/** Text field that renames a panel. Enter and blur save, Escape discards. */
function PanelName({ panel, onDone }: PanelNameProps) {
  const [name, setName] = useState(panel.name);
  const left = useRef(false);
  const done = (keep: boolean, byKey: boolean) => {
    // Runs once: removing the field fires a blur, which would call this again.
    if (!left.current) {
      left.current = true;
      if (keep && name !== panel.name) {
        renameDevicePanel(panel.id, name);
      }
      onDone(byKey);
    }
  };
  return (
    <form
      className={styles['field']}
      onSubmit={(event) => {
        event.preventDefault();
        done(true, true);
      }}
    >
      <TextInput
        aria-label={`Name of ${panel.name}`}
        value={name}
        maxLength={longestPanelName}
        autoComplete="off"
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => done(true, false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            done(false, true);
          }
        }}
      />
    </form>
  );
}

const endings: readonly (readonly [LineEnding, string])[] = [
  ['lf', 'LF'],
  ['crlf', 'CRLF'],
  ['cr', 'CR'],
  ['none', 'nothing'],
];

/** Name, target and menu of a panel. Alt with Up or Down moves the panel in the list. */
export function PanelHead({ panel, place, count }: PanelHeadProps) {
  const { id, name, collapsed, pinnedMessages } = panel;
  const [renaming, setRenaming] = useState(false);
  const [removing, setRemoving] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const fileField = useRef<HTMLInputElement>(null);
  const { button } = use(PanelSlotsContext);
  const readOnly = useOtherOwner(panel) !== null;
  const step = (by: number) => {
    flushSync(() => stepDevicePanel(id, by));
    toggle.current?.focus();
  };
  const move = (event: KeyboardEvent) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      step(event.key === 'ArrowUp' ? -1 : 1);
    }
  };
  const endRenaming = (byKey: boolean) => {
    if (byKey) {
      flushSync(() => setRenaming(false));
      toggle.current?.focus();
    } else {
      setRenaming(false);
    }
  };
  const remove = () => (pinnedMessages.length > 0 ? setRemoving(true) : removeDevicePanel(id));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only for dragging with the mouse; keyboard and menu do the same.
    <div
      className={styles['head']}
      draggable={!renaming}
      onDragStart={(event) => startDrag(event, { kind: 'panel', panelId: id }, name)}
      onDragEnd={endDrag}
    >
      {renaming ? (
        <PanelName panel={panel} onDone={endRenaming} />
      ) : (
        <h3 className={styles['title']}>
          <button
            ref={toggle}
            type="button"
            className={`ring-inside ${styles['toggle']}`}
            aria-expanded={!collapsed}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            onClick={() => setCollapsed(id, !collapsed)}
            onDoubleClick={() => setRenaming(true)}
            onKeyDown={move}
          >
            {collapsed ? <ChevronRight /> : <ChevronDown />}
            <span className={`ellipsis ${styles['name']}`}>{name}</span>
            {collapsed ? <span className={styles['count']}>{pinnedMessages.length}</span> : null}
          </button>
        </h3>
      )}
      <TargetMenu panel={panel} />
      <RunButton panel={panel} />
      {button(panel)}
      <Menu
        align="end"
        items={[
          { label: 'Rename', icon: <Pencil />, onSelect: () => setRenaming(true), movesFocus: true },
          { label: 'Move up', icon: <ArrowUp />, shortcut: 'Alt+↑', disabled: place === 0, onSelect: () => step(-1) },
          {
            label: 'Move down',
            icon: <ArrowDown />,
            shortcut: 'Alt+↓',
            disabled: place === count - 1,
            onSelect: () => step(1),
          },
          'separator',
          ...endings.map(([value, label]) => ({
            label: `End lines with ${label}`,
            checked: endingOf(panel) === value,
            disabled: readOnly,
            onSelect: () => void setEnding(id, value),
          })),
          'separator',
          { label: 'Import a JKit file', icon: <FileUp />, onSelect: () => fileField.current?.click() },
          { label: 'Save as a JKit file', icon: <FileDown />, onSelect: () => exportJkit(panel) },
          {
            label: 'Copy as a command',
            icon: <Copy />,
            disabled: pinnedMessages.length === 0,
            onSelect: () => void loadExports().then((exports) => exports?.copyCommand(panel)),
          },
          'separator',
          { label: 'Remove panel', icon: <Trash2 />, onSelect: remove },
        ]}
        trigger={(props) => (
          <IconButton {...props} label={`Options of ${name}`} variant="quiet" size="sm" icon={<EllipsisVertical />} />
        )}
      />
      <input
        ref={fileField}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={`JKit file for ${name}`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) {
            void importJkit(panel, file);
          }
          // Reset, so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
        }}
      />
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${name}?`}
        text={
          pinnedMessages.length === 1
            ? 'Its command is deleted with it.'
            : `Its ${pinnedMessages.length} commands are deleted with it.`
        }
        action="Remove"
        onConfirm={() => {
          setRemoving(false);
          removeDevicePanel(id);
        }}
      />
    </div>
  );
}
