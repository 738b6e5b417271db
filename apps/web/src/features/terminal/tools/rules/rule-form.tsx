/** Form of one rule. Fields that few rules need are folded. */
import { answerFault, conditionFault, type Rule, type RuleActions, ruleColours, ruleLimits } from '@wirebench/serial';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { Field } from '../../../../shared/ui/field.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { Switch } from '../../../../shared/ui/switch.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { usePanels } from '../../panels/store/panels-store.ts';
import { askForNotifications } from './notifications.ts';
import { saveRule } from './rule-actions.ts';
import { conditionText } from './rule-words.ts';
import styles from './rules-panel.module.css';

export interface RuleFormProps {
  readonly rule: Rule;
  readonly panelId: string;
  readonly onDone: () => void;
}

const kinds = [
  { value: 'line', label: 'Line' },
  { value: 'silence', label: 'Silence' },
  { value: 'value', label: 'Value' },
] as const;

const emptyConditions = {
  line: { kind: 'line', find: '', matchCase: false },
  silence: { kind: 'silence', seconds: 30, find: '' },
  value: { kind: 'value', series: '', side: 'below', limit: 0 },
} as const satisfies Record<string, Rule['condition']>;

const noAnswer = { kind: 'text', content: '' } as const;

export function RuleForm({ rule, panelId, onDone }: RuleFormProps) {
  const [draft, setDraft] = useState(rule);
  const [place, setPlace] = useState(panelId);
  const [error, setError] = useState<string | null>(null);
  const panels = usePanels((all) => all);
  const { condition, actions, where } = draft;
  const answer = actions.answer ?? noAnswer;
  const change = (part: Partial<Rule>) => setDraft((before) => ({ ...before, ...part }));
  const act = (part: Partial<RuleActions>) => change({ actions: { ...actions, ...part } });
  const save = () => {
    const name = draft.name.trim() || conditionText(draft).slice(0, ruleLimits.name);
    const fault = conditionFault(condition) ?? (actions.answer === null ? null : answerFault(actions.answer));
    // A person who saves a rule has read what it does.
    const refused = fault ?? saveRule(place, { ...draft, name, mayAct: true });
    setError(refused);
    if (refused === null) {
      if (actions.notify) {
        void askForNotifications();
      }
      onDone();
    }
  };
  return (
    <form
      className={styles['form']}
      aria-label="Rule"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onDone();
        }
      }}
    >
      <Segmented
        label="Condition"
        options={kinds}
        value={condition.kind}
        onChange={(kind) => change({ condition: emptyConditions[kind] })}
      />
      {condition.kind === 'value' ? (
        <>
          <Field label="Series of the plot" error={error}>
            {(ids) => (
              <TextInput
                {...ids}
                autoFocus
                autoComplete="off"
                value={condition.series}
                onChange={(event) => change({ condition: { ...condition, series: event.currentTarget.value } })}
              />
            )}
          </Field>
          <div className={styles['pair']}>
            <Field label="Side">
              {(ids) => (
                <Select
                  {...ids}
                  value={condition.side}
                  onChange={(event) =>
                    change({
                      condition: { ...condition, side: event.currentTarget.value === 'above' ? 'above' : 'below' },
                    })
                  }
                >
                  <option value="below">below</option>
                  <option value="above">above</option>
                </Select>
              )}
            </Field>
            <Field label="Limit">
              {(ids) => (
                <TextInput
                  {...ids}
                  mono
                  type="number"
                  step="any"
                  value={Number.isNaN(condition.limit) ? '' : condition.limit}
                  onChange={(event) =>
                    change({ condition: { ...condition, limit: event.currentTarget.valueAsNumber } })
                  }
                />
              )}
            </Field>
          </div>
        </>
      ) : (
        <Field
          label={condition.kind === 'line' ? 'A line with' : 'No line with (empty: any)'}
          error={error}
          hint="As in Find: words, /expression/, hex:B5 62, level:error, port:1, dir:tx"
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              autoFocus
              autoComplete="off"
              maxLength={ruleLimits.find}
              value={condition.find}
              onChange={(event) => change({ condition: { ...condition, find: event.currentTarget.value } })}
            />
          )}
        </Field>
      )}
      {condition.kind === 'silence' ? (
        <Field label="For seconds">
          {(ids) => (
            <TextInput
              {...ids}
              mono
              type="number"
              value={Number.isNaN(condition.seconds) ? '' : condition.seconds}
              onChange={(event) => change({ condition: { ...condition, seconds: event.currentTarget.valueAsNumber } })}
            />
          )}
        </Field>
      ) : (
        <>
          <div className={styles['pair']}>
            <Field label="Colour">
              {(ids) => (
                <Select
                  {...ids}
                  value={actions.colour ?? ''}
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    act({ colour: ruleColours.find((colour) => colour === value) ?? null });
                  }}
                >
                  <option value="">none</option>
                  {ruleColours.map((colour) => (
                    <option key={colour}>{colour}</option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Of">
              {(ids) => (
                <Select
                  {...ids}
                  value={actions.colours}
                  onChange={(event) => act({ colours: event.currentTarget.value === 'match' ? 'match' : 'line' })}
                >
                  <option value="line">the line</option>
                  <option value="match">the match</option>
                </Select>
              )}
            </Field>
          </div>
          <Switch label="Mark" checked={actions.mark} onChange={(mark) => act({ mark })} />
        </>
      )}
      <Switch label="Note on screen" checked={actions.note} onChange={(note) => act({ note })} />
      <details className={styles['more']}>
        <summary>More</summary>
        <Field label="Name">
          {(ids) => (
            <TextInput
              {...ids}
              autoComplete="off"
              maxLength={ruleLimits.name}
              placeholder={conditionText(draft)}
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <div className={styles['pair']}>
          <Field label="Panel">
            {(ids) => (
              <Select {...ids} value={place} onChange={(event) => setPlace(event.currentTarget.value)}>
                {panels.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Lines of">
            {(ids) => (
              <Select
                {...ids}
                value={where}
                onChange={(event) => change({ where: event.currentTarget.value === 'all' ? 'all' : 'panel' })}
              >
                <option value="panel">the panel’s port</option>
                <option value="all">all ports</option>
              </Select>
            )}
          </Field>
        </div>
        {condition.kind === 'line' ? (
          <Switch
            label="Match case"
            checked={condition.matchCase}
            onChange={(matchCase) => change({ condition: { ...condition, matchCase } })}
          />
        ) : null}
        <Switch label="Sound" checked={actions.sound} onChange={(sound) => act({ sound })} />
        <Switch label="Notify on the desktop" checked={actions.notify} onChange={(notify) => act({ notify })} />
        <div className={styles['pair']}>
          <Field label="Answer">
            {(ids) => (
              <TextInput
                {...ids}
                mono
                autoComplete="off"
                placeholder="none"
                value={answer.content}
                onChange={(event) => {
                  const content = event.currentTarget.value;
                  act({ answer: content === '' ? null : { ...answer, content } });
                }}
              />
            )}
          </Field>
          <Field label="As">
            {(ids) => (
              <Select
                {...ids}
                value={answer.kind}
                disabled={actions.answer === null}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  act({ answer: { ...answer, kind: value === 'hex' || value === 'pinned' ? value : 'text' } });
                }}
              >
                <option value="text">text</option>
                <option value="hex">hex</option>
                <option value="pinned">pinned message</option>
              </Select>
            )}
          </Field>
        </div>
        <Switch label="Run the messages of the panel" checked={actions.run} onChange={(run) => act({ run })} />
        <Field label="Recording">
          {(ids) => (
            <Select
              {...ids}
              value={actions.record ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                act({ record: value === 'start' || value === 'stop' ? value : null });
              }}
            >
              <option value="">as it is</option>
              <option value="start">start</option>
              <option value="stop">stop</option>
            </Select>
          )}
        </Field>
      </details>
      <div className="buttons tight at-end">
        <Button size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button size="sm" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}
