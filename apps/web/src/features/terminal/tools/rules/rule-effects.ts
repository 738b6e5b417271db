/** Does what a rule's hit asks of the page: notes, sounds, notifications, runs and recordings. Fetched with the first. */
import { AnswerGuard, loopText, type PortNumber, type Rule } from '@wirebench/serial';
import type { RuleEvent } from '../../../../protocol/bench/rule-part.ts';
import { counted, lines } from '../../../../shared/format/numbers.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { startRecording, stopRecordings } from '../../console/recordings.ts';
import type { DevicePanel } from '../../panels/model/device-panel.ts';
import { runAll } from '../../panels/run/runs.ts';
import { panelsNow } from '../../panels/store/panels-store.ts';
import { showTool } from '../open-tool.ts';
import { showNotification } from './notifications.ts';
import { placeOfRule, setRule } from './rule-actions.ts';

/** True: a recording was asked for and is not reported yet. */
let isStarting = false;

const guards = new Map<string, AnswerGuard>();

export function takeRuleEvents(events: readonly RuleEvent[]): void {
  for (const event of events) {
    const place = placeOfRule(panelsNow().panels, event.id);
    if (place !== null) {
      take(event, place.panel, place.rule);
    }
  }
}

function take(event: RuleEvent, panel: DevicePanel, rule: Rule): void {
  switch (event.kind) {
    case 'hit':
      hit(event, panel, rule);
      break;
    case 'looping':
      stopLoop(panel, rule);
      break;
    case 'failed':
      toast(`The rule "${rule.name}" could not answer on Port ${event.port}.`, { level: 'error', detail: event.text });
      break;
    case 'elsewhere':
      toast(
        `The rule "${rule.name}" does not answer on Port ${event.port}: it belongs to the bench of somebody else.`,
        {
          level: 'info',
          detail: 'Rules of a guest colour, mark and count. The host can have a rule that answers.',
        },
      );
  }
}

/** In milliseconds. */
const pause = 1_000;
/** In seconds and hertz. */
const [length, pitch] = [0.15, 880];

let context: AudioContext | null = null;
let last = Number.NEGATIVE_INFINITY;

/** A short tone, at most one a second. Browsers allow it once a person has used the page. */
function beep(): void {
  if (performance.now() - last < pause) {
    return;
  }
  last = performance.now();
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  const tone = new OscillatorNode(context, { frequency: pitch });
  const volume = new GainNode(context, { gain: 0.15 });
  volume.gain.setTargetAtTime(0, currentTime + length, length / 8);
  tone.connect(volume).connect(destination);
  tone.start();
  tone.stop(currentTime + length * 2);
  void context.resume();
}

function hit(event: RuleEvent, panel: DevicePanel, rule: Rule): void {
  const { note, sound, notify, run, record } = rule.actions;
  const detail = hitText(event, rule);
  if (note) {
    toast(rule.name, { level: 'info', detail });
  }
  if (sound) {
    beep();
  }
  if (notify) {
    showNotification(rule.id, rule.name, detail);
  }
  if (!rule.mayAct) {
    return;
  }
  if (run) {
    startRun(panel, rule, event.port);
  }
  const isRecording = benchStatus.tick.recordings.length > 0;
  if (record === 'start' && !isRecording && !isStarting) {
    isStarting = true;
    void startRecording({ kind: 'text' }).finally(() => {
      isStarting = false;
    });
  } else if (record === 'stop' && isRecording) {
    void stopRecordings();
  }
}

function startRun(panel: DevicePanel, rule: Rule, port: PortNumber | null): void {
  if (port !== null && benchStatus.tick.devices[port]?.kind === 'remote') {
    return;
  }
  const guard = guards.get(rule.id) ?? new AnswerGuard();
  guards.set(rule.id, guard);
  if (guard.allows(Date.now())) {
    void runAll(panel.id);
  } else {
    stopLoop(panel, rule);
  }
}

function stopLoop(panel: DevicePanel, rule: Rule): void {
  guards.delete(rule.id);
  setRule(panel.id, { ...rule, isOn: false });
  toast(loopText(rule.name), {
    level: 'error',
    action: { label: 'Show the rules', onAction: () => showTool('rules') },
  });
}

/** Says what has met the rule's condition. */
function hitText({ port, text, value, count }: RuleEvent, { condition }: Rule): string {
  const where = port === null ? '' : `Port ${port}: `;
  if (condition.kind === 'silence') {
    return `${where}no line for ${counted(condition.seconds, 'second')}`;
  }
  const times = count > 1 ? ` (${lines(count)})` : '';
  return condition.kind === 'value' ? `${where}${condition.series} is ${value}` : `${where}${text}${times}`;
}
