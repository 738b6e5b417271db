/** Rules that the publisher of a release has picked for its monitor, with their counts. Fetched with the first. */
import { loopText, type PortNumber } from '@wirebench/serial';
import { useEffect, useMemo, useState } from 'react';
import { count } from '../../../shared/format/numbers.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Switch } from '../../../shared/ui/switch.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import type { MonitorMessages } from '../../../workbench/release/release.ts';
import colours from '../../../workbench/rule-colour.module.css';
import { useRuleCounts } from '../../../workbench/rule-counts.ts';
import { watchRulesOf } from '../../../workbench/watched-rules.ts';
import { answerOf, readReleaseRules, runningReleaseRules } from '../release/publisher-rules.ts';
import styles from './monitor-messages.module.css';

export interface MonitorRulesProps {
  readonly port: PortNumber;
  readonly picked: MonitorMessages;
}

export function MonitorRules({ port, picked }: MonitorRulesProps) {
  const { rules, faults } = useMemo(() => readReleaseRules(picked), [picked]);
  const [mayAnswer, setMayAnswer] = useState(false);
  const { counts } = useRuleCounts();
  useEffect(() => {
    watchRulesOf('release', runningReleaseRules(rules, port, picked, mayAnswer));
  }, [rules, port, picked, mayAnswer]);
  useEffect(() => () => watchRulesOf('release', []), []);
  useEffect(
    () =>
      benchStatus.onTick(({ ruleEvents }) => {
        for (const { id, kind, text } of ruleEvents) {
          const rule = rules.find((own) => own.id === id);
          if (rule === undefined) {
            continue;
          }
          if (kind === 'looping') {
            setMayAnswer(false);
            toast(loopText(rule.name), { level: 'error' });
          } else if (kind === 'failed') {
            toast(`${rule.name} could not answer`, { level: 'error', detail: text });
          } else if (kind === 'hit') {
            toast(rule.name, { level: 'info', detail: text });
          }
        }
      }),
    [rules],
  );
  const answers = rules.filter((rule) => answerOf(rule) !== null);
  return (
    <section className={styles['messages']} aria-label={`Rules of ${picked.name}`}>
      <span className="silk">Rules</span>
      <div className={styles['rules']}>
        <ul>
          {rules.map(({ id, name, actions }) => (
            <li key={id} className={classNames(styles['rule'], colours['colour'])} data-colour={actions.colour}>
              {name} <b>{count(counts[id] ?? 0)}</b>
            </li>
          ))}
        </ul>
        {answers.length === 0 ? null : (
          <Switch
            label={`Let them answer: ${answers.map((rule) => `${rule.name} sends “${answerOf(rule)}”`).join(', ')}`}
            checked={mayAnswer}
            onChange={setMayAnswer}
          />
        )}
        {faults.map((fault) => (
          <p key={fault}>{fault}</p>
        ))}
      </div>
    </section>
  );
}
