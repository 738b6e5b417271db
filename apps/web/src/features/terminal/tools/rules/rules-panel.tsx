/** All rules of all panels with their counts, and what a person does with them. */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { newId, readRules, writeRules } from '@wirebench/runs';
import { acts, newRule, type Rule, type RuleColour } from '@wirebench/serial';
import { Ellipsis, Pencil, Plus } from 'lucide-react';
import { use, useRef, useState } from 'react';
import { readGivenText } from '../../../../shared/files/read-given-text.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { count, counted } from '../../../../shared/format/numbers.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { classNames } from '../../../../shared/ui/class-names.ts';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { offerUndo } from '../../../../shared/ui/offer-undo.ts';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { Switch } from '../../../../shared/ui/switch.tsx';
import { toast } from '../../../../shared/ui/toast.ts';
import { getBench } from '../../../../workbench/bench.ts';
import colours from '../../../../workbench/rule-colour.module.css';
import { useRuleCounts } from '../../../../workbench/rule-counts.ts';
import { allPorts, type DevicePanel, onePort } from '../../panels/model/device-panel.ts';
import { usePanels } from '../../panels/store/panels-store.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { askForNotifications, notificationFault } from './notifications.ts';
import { addRules, allowRule, blankRule, deleteRule, panelForRules, saveRule, setRule } from './rule-actions.ts';
import { type EditedRule, RuleForm } from './rule-form.tsx';
import { actionsText, conditionText } from './rule-words.ts';
import styles from './rules-panel.module.css';
import { isForLogs, rests } from './running-rules.ts';

/** The rule in the form, as far as it was edited: kept while another tool is in front. */
const editedRule = pageStore<EditedRule | null>(null);
const closeForm = () => editedRule.setState(null, true);

type Ready = Pick<Rule, 'name' | 'condition'> & { readonly actions: Partial<Rule['actions']> };

const line = (find: string) => ({ kind: 'line' as const, find, matchCase: false });

const readyRules: readonly Ready[] = [
  { name: 'Errors red', condition: line('level:error'), actions: { colour: 'red', mark: true } },
  {
    name: 'ESP-IDF resets',
    condition: line('/^rst:0x|^ESP-ROM:|Guru Meditation|Rebooting\\.\\.\\./'),
    actions: { colour: 'violet', mark: true },
  },
  {
    name: 'Heap below 20,000',
    condition: { kind: 'value', series: 'heap', side: 'below', limit: 20_000 },
    actions: { colour: 'amber', note: true },
  },
  { name: 'Login', condition: line('login:'), actions: { colour: 'blue', note: true } },
  {
    name: 'Silence of 30 seconds',
    condition: { kind: 'silence', seconds: 30, find: '' },
    actions: { note: true },
  },
];

/** Rules that are ready to use, each a start for one's own. */
const readyNames: readonly string[] = readyRules.map(({ name }) => name);

/** Names of those for opened logs, which are never silent. */
const readyLogNames: readonly string[] = readyRules
  .filter(({ condition }) => condition.kind !== 'silence')
  .map(({ name }) => name);

/** Returns a new rule by the name of a ready-made one. */
function readyRule(name: string): Rule | null {
  const ready = readyRules.find((rule) => rule.name === name);
  return ready === undefined ? null : newRule({ id: newId(), ...ready });
}

const sumText = (all: number, on: number) => `${counted(all, 'rule')}, ${on === all ? 'all on' : `${on} on`}`;

export function RulesPanel() {
  const panels = usePanels((all) => all);
  const { counts } = useRuleCounts();
  const edited = editedRule.use();
  // Renders again after the browser's answer.
  const [, setAsked] = useState(0);
  const file = useRef<HTMLInputElement>(null);
  const { isReadOnly: isLog } = use(TerminalSlotsContext);
  const open = (panelId: string, rule: Rule) =>
    editedRule.setState({ panelId, rule, isPlaced: acts(rule) || isLog }, true);
  const all = panels.flatMap((panel) => panel.rules.map((rule) => ({ panel, rule })));
  const saved = all.find(({ rule }) => rule.id === edited?.rule.id);
  const on = all.filter(({ rule }) => rule.isOn).length;
  const shown = isLog ? all.filter(({ rule }) => isForLogs(rule)) : all;
  const askToNotify = () => void askForNotifications().then(() => setAsked((times) => times + 1));
  const add = (rule: Rule | null) => {
    const panelId = panelForRules();
    if (panelId === null) {
      return;
    }
    if (rule === null) {
      open(panelId, blankRule());
      return;
    }
    const refused = saveRule(panelId, rule);
    if (refused !== null) {
      toast(refused, { level: 'error' });
    }
  };
  const toggle = (panelId: string, rule: Rule, isOn: boolean) => {
    setRule(panelId, { ...rule, isOn });
    if (isOn && rule.actions.notify && !isLog) {
      askToNotify();
    }
  };
  const remove = (panelId: string, rule: Rule) => {
    const { refused, undo } = deleteRule(panelId, rule);
    if (refused === null) {
      offerUndo(`${rule.name} deleted`, undo);
    } else {
      toast(refused, { level: 'error' });
    }
  };
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <span className={styles['sum']}>{all.length === 0 ? 'No rules' : sumText(all.length, on)}</span>
        <Menu
          items={[
            { label: 'Own rule…', onSelect: () => add(null) },
            ...(isLog ? readyLogNames : readyNames).map((name) => ({
              label: name,
              onSelect: () => add(readyRule(name)),
            })),
          ]}
          trigger={(props) => (
            <Button {...props} size="sm" icon={<Plus />}>
              Add a rule
            </Button>
          )}
        />
        <Menu
          align="end"
          items={[
            { label: 'Load from a file…', onSelect: () => file.current?.click() },
            ...(all.length === 0
              ? []
              : [
                  { label: 'Save to a file', onSelect: () => saveRules(all.map(({ rule }) => rule)) },
                  { label: 'Reset counts', onSelect: () => void getBench().call('resetRuleCounts') },
                ]),
          ]}
          trigger={(props) => (
            <IconButton {...props} label="More for rules" size="sm" variant="quiet" icon={<Ellipsis />} />
          )}
        />
        <input
          ref={file}
          hidden
          type="file"
          accept=".json,application/json"
          aria-label="File with rules"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            void loadFile(chosen);
          }}
        />
      </div>
      {edited === null ? null : (
        <RuleForm
          key={edited.rule.id}
          {...edited}
          isLog={isLog}
          onNotify={askToNotify}
          onDelete={
            saved === undefined
              ? null
              : () => {
                  closeForm();
                  remove(saved.panel.id, saved.rule);
                }
          }
          onEdit={(changed) => editedRule.setState({ ...edited, ...changed }, true)}
          onDone={closeForm}
        />
      )}
      {all.length === 0 && edited === null ? (
        <p className={styles['empty']}>
          {isLog
            ? 'No rules yet. A rule colours, marks and counts lines. It is for the terminal, too.'
            : 'No rules yet. A rule colours, marks and counts lines, tells you about them, or answers them.'}
        </p>
      ) : null}
      {isLog && all.length > 0 ? (
        <p className={styles['empty']}>
          The rules of the terminal: changes apply there, too. In a log they colour, mark and count.
          {shown.length < all.length ? ' Those about silence are for ports only.' : ''}
        </p>
      ) : null}
      <ul className={styles['list']} aria-label="Rules">
        {shown
          .filter(({ rule }) => rule.id !== edited?.rule.id)
          .map(({ panel, rule }) => (
            <li
              key={rule.id}
              className={classNames(styles['rule'], colours['colour'])}
              data-colour={rule.actions.colour satisfies RuleColour | null}
            >
              <div className={styles['line']}>
                <Switch label={rule.name} checked={rule.isOn} onChange={(isOn) => toggle(panel.id, rule, isOn)} />
                <span className={styles['count']}>{rule.isOn ? count(counts[rule.id] ?? 0) : ''}</span>
                <IconButton
                  label={`Edit ${rule.name}`}
                  size="sm"
                  variant="quiet"
                  icon={<Pencil />}
                  onClick={() => open(panel.id, rule)}
                />
              </div>
              <p className={styles['facts']}>
                {isLog ? null : <Where panel={panel} rule={rule} />}
                <code>{conditionText(rule)}</code> → {actionsText(rule, isLog)}
                {panels.length > 1 ? ` · ${panel.name}` : ''}
              </p>
              {rests(panel, rule) && !isLog ? (
                <p className={styles['facts']}>
                  Rests: {panel.name} has no port. Choose one at the panel, or use the rule for all ports.{' '}
                  <Button size="sm" onClick={() => setRule(panel.id, { ...rule, where: 'all' })}>
                    All ports
                  </Button>
                </p>
              ) : null}
              {rule.isOn && rule.actions.notify && !isLog ? <NotificationFault /> : null}
              {rule.isOn && !rule.mayAct && acts(rule) && !isLog ? (
                <p className={styles['facts']}>
                  Came with a JKit or a file: it does not send, run or record until you allow it.{' '}
                  <Button size="sm" onClick={() => allowRule(panel.id, rule)}>
                    Allow
                  </Button>
                </p>
              ) : null}
            </li>
          ))}
      </ul>
    </div>
  );
}

/** Ports that the rule is for: a flag, or all of them. */
function Where({ panel, rule }: { readonly panel: DevicePanel; readonly rule: Rule }) {
  const port = onePort(panel);
  if (rule.where === 'all' || panel.pinnedTargetPort === allPorts) {
    return <span className={styles['where']}>All ports</span>;
  }
  return (
    <span className={styles['where']} data-port={port ?? undefined}>
      {port === null ? 'No port' : <PortFlag port={port} />}
    </span>
  );
}

function NotificationFault() {
  const fault = notificationFault();
  return fault === null ? null : <p className={`${styles['facts']} ${styles['fault']}`}>{fault}</p>;
}

function saveRules(rules: readonly Rule[]): void {
  const name = 'wirebench-rules.json';
  saveFile(new Blob([`${JSON.stringify(writeRules(rules), null, 2)}\n`], { type: 'application/json' }), name);
  toast(`Rules saved as ${name}`);
}

async function loadFile(file: File | undefined): Promise<void> {
  if (file === undefined) {
    return;
  }
  let text = '';
  try {
    text = await readGivenText(file);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
  const { read, faults } = readRules(fieldsOf(parseJson(text))['rules']);
  const panelId = read.length === 0 ? null : panelForRules();
  if (panelId === null) {
    toast(`${file.name} has no rules that can be used.`, {
      level: 'error',
      detail: faults[0] ?? 'Choose a file that was saved here, or a JKit file with rules.',
    });
    return;
  }
  const added = addRules(panelId, read);
  toast(`${count(added)} of ${count(read.length + faults.length)} rules loaded`, {
    level: added === read.length && faults.length === 0 ? 'success' : 'warning',
    detail: faults[0],
  });
}
