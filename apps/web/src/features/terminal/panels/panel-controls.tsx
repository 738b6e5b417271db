/**
 * Messages with a number to choose, as sliders below a plot. The messages with a label that follow such a message in its
 * panel are buttons beside it.
 */
import { systemClock } from '@wirebench/clock';
import {
  filledMessage,
  type MessageValue,
  messageName,
  numbersOf,
  type PinnedMessage,
  sentNumber,
} from '@wirebench/runs';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Slider } from '../../../shared/ui/slider.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates } from '../open-ports-of.ts';
import { type DevicePanel, onePort } from './model/device-panel.ts';
import type { Panels } from './model/panels.ts';
import styles from './panel-controls.module.css';
import { chooseNumber, useChosenNumber } from './run/chosen-numbers.ts';
import { NewestValues } from './run/newest-values.ts';
import { sendFault } from './run/prepare-run.ts';
import { sendMessage, sendNumber } from './run/runs.ts';
import type { Refused } from './store/panel-actions.ts';
import { usePanels } from './store/panels-store.ts';

/** Buttons beside a slider. */
const MAX_BUTTONS = 2;

interface Control {
  readonly panel: DevicePanel;
  readonly message: PinnedMessage;
  readonly numbers: MessageValue;
  readonly buttons: readonly PinnedMessage[];
}

/** Returns the sliders of all panels, in their order, each with its buttons. */
function controlsOf(panels: Panels): readonly Control[] {
  return panels.flatMap((panel) =>
    panel.pinnedMessages.flatMap((message, index) => {
      const numbers = message.file === null ? numbersOf(message) : null;
      const behind = panel.pinnedMessages.slice(index + 1, index + 1 + MAX_BUTTONS);
      const end = behind.findIndex((other) => other.label === '' || numbersOf(other) !== null);
      const buttons = end === -1 ? behind : behind.slice(0, end);
      return numbers === null ? [] : [{ panel, message, numbers, buttons }];
    }),
  );
}

/** Numbers on their way, by message id. They are sent when their slider is no longer shown, too. */
const onTheirWay = new Map<string, NewestValues<(refused: Refused) => void>>();

/** Sends the chosen number of a message, at most at its rate. */
function sendChosen({ panel, message, numbers }: Control, onSent: (refused: Refused) => void): void {
  let values = onTheirWay.get(message.id);
  if (values === undefined) {
    values = new NewestValues({
      clock: systemClock,
      send: async (tell) => {
        const refused = await sendNumber(panel.id, message.id);
        tell(refused);
        return refused === null;
      },
    });
    onTheirWay.set(message.id, values);
  }
  values.put(onSent, 1_000 / numbers.perSecond);
}

export function PanelControls() {
  const panels = usePanels((all) => all);
  const controls = controlsOf(panels);
  return controls.length === 0 ? null : (
    <ul className={styles['controls']} aria-label="Sliders of the panels">
      {controls.map((control) => (
        <ControlRow key={control.message.id} control={control} />
      ))}
    </ul>
  );
}

function ControlRow({ control }: { readonly control: Control }) {
  const { panel, message, numbers, buttons } = control;
  const port = onePort(panel);
  const fault = useBenchStatus((view) => sendFault(panel, portStates(view)));
  const chosen = useChosenNumber(message);
  const [refused, setRefused] = useState<Refused>(null);
  /** Number that was sent while the slider was dragged, so that letting go does not send it again. */
  const dragged = useRef<number | null>(null);
  const id = useId();
  const value = chosen ?? numbers.from;
  const name = nameOf(message);
  const shown = `${sentNumber(numbers, value)}${numbers.unit === '' ? '' : ` ${numbers.unit}`}`;
  const send = () => sendChosen(control, setRefused);
  return (
    <li className={styles['control']} data-port={port ?? undefined}>
      {port === null ? null : <PortFlag port={port} off={fault !== null} />}
      <b className={styles['name']} title={`${name}: ${panel.name}`}>
        {name}
      </b>
      <Slider
        label={name}
        min={numbers.from}
        max={numbers.to}
        step={numbers.step}
        value={value}
        valueText={shown}
        disabled={fault !== null}
        describedBy={`${id}-sends`}
        onChange={(next) => {
          chooseNumber(message.id, next);
          if (numbers.whileDragging) {
            dragged.current = next;
            send();
          }
        }}
        onSettle={(last) => {
          if (dragged.current !== last) {
            chooseNumber(message.id, last);
            send();
          }
          dragged.current = null;
        }}
      />
      <span className={styles['value']}>{shown}</span>
      {fault === null ? (
        <code id={`${id}-sends`} className={styles['sends']}>
          {message.hidden ? '' : `sends ${filledMessage(message, value).content}`}
        </code>
      ) : (
        <span id={`${id}-sends`} className={styles['reason']}>
          {fault}
        </span>
      )}
      {buttons.map((button) => (
        <Button
          key={button.id}
          size="sm"
          disabled={fault !== null}
          title={button.hidden ? undefined : button.content}
          onClick={() => void sendMessage(panel.id, button.id)}
        >
          {button.label}
        </Button>
      ))}
      <span role="alert" className={styles['refused']}>
        {fault === null ? refused : null}
      </span>
    </li>
  );
}

/** Name of a slider: the label of its message, or its content without the place of the number. */
function nameOf(message: PinnedMessage): string {
  const name = messageName(message);
  return message.label === '' && !message.hidden ? name.replaceAll(/\s*\{value\}/g, '').trim() || name : name;
}
