/** Form of one rule. Fields that few rules need are folded. */

import { messageName, numbersOf } from '@wirebench/runs';
import {
  acts,
  answerFault,
  conditionFault,
  type Rule,
  type RuleActions,
  type RuleAnswer,
  ruleColours,
  ruleLimits,
} from '@wirebench/serial';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { Field } from '../../../../shared/ui/field.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { Switch } from '../../../../shared/ui/switch.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { usePanels } from '../../panels/store/panels-store.ts';
import { useTerminalSession } from '../../terminal-session.ts';
import { panelForPort, saveRule } from './rule-actions.ts';
import { conditionText } from './rule-words.ts';
import styles from './rules-panel.module.css';

/** A rule in the form. */
export interface EditedRule {
  readonly rule: Rule;
  readonly panelId: string;
  /**
   * A rule that only looks is for all ports. One that gets something to do is for the selected port, unless this is true:
   * the rule says it, or a person has chosen.
   */
  readonly isPlaced: boolean;
}

export interface RuleFormProps extends EditedRule {
  /** True: opened logs are shown, where rules colour, mark and count. The fields of other actions are left out. */
  readonly isLog: boolean;
  /** Asks the browser for notifications, from the click on Save. */
  readonly onNotify: () => void;
  /** Deletes the rule. Null: it is not saved yet. */
  readonly onDelete: (() => void) | null;
  readonly onEdit: (changed: Partial<EditedRule>) => void;
  readonly onDone: () => void;
}

const kinds = [
  { value: 'line', label: 'Line' },
  { value: 'silence', label: 'Silence' },
  { value: 'value', label: 'Value' },
] as const;

/** An opened log is never silent. */
const logKinds = kinds.filter(({ value }) => value !== 'silence');

const emptyConditions = {
  line: { kind: 'line', find: '', matchCase: false },
  silence: { kind: 'silence', seconds: 30, find: '' },
  value: { kind: 'value', series: '', side: 'below', limit: 0 },
} as const satisfies Record<string, Rule['condition']>;

export function RuleForm(props: RuleFormProps) {
  const { rule: draft, panelId: place, isPlaced, isLog, onNotify, onDelete, onEdit, onDone } = props;
  const [error, setError] = useState<string | null>(null);
  const [answerError, setAnswerError] = useState<string | null>(null);
  const panels = usePanels((all) => all);
  const selected = useTerminalSession(({ selectedPort }) => selectedPort);
  const { condition, actions } = draft;
  const where = isPlaced || !acts(draft) ? draft.where : 'panel';
  const change = (part: Partial<Rule>) => onEdit({ rule: { ...draft, ...part } });
  const act = (part: Partial<RuleActions>) => change({ actions: { ...actions, ...part } });
  const save = () => {
    const name = draft.name.trim() || conditionText(draft).slice(0, ruleLimits.name);
    const wrongAnswer = actions.answer === null ? null : answerFault(actions.answer);
    setAnswerError(wrongAnswer);
    // A person who saves a rule has read what it does, except its actions on ports in a form for logs.
    const mayAct = draft.mayAct || !isLog;
    const fault = conditionFault(condition);
    const isFine = fault === null && wrongAnswer === null;
    // The panel of a pinned answer, or of messages to run, is where they are.
    const isElsewhere = !isPlaced && where === 'panel' && actions.answer?.kind !== 'pinned' && !actions.run;
    const panelOfRule = isFine && isElsewhere ? (panelForPort(selected) ?? place) : place;
    const refused = fault ?? (isFine ? saveRule(panelOfRule, { ...draft, where, name, mayAct }) : null);
    setError(refused);
    if (refused === null && wrongAnswer === null) {
      if (actions.notify && !isLog) {
        onNotify();
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
        options={isLog ? logKinds : kinds}
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
      )}
      {isLog ? null : <Switch label="Note on screen" checked={actions.note} onChange={(note) => act({ note })} />}
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
              <Select
                {...ids}
                value={place}
                onChange={(event) =>
                  onEdit({ panelId: event.currentTarget.value, rule: { ...draft, where }, isPlaced: true })
                }
              >
                {panels.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {isLog ? null : (
            <Field label="Lines of">
              {(ids) => (
                <Select
                  {...ids}
                  value={where}
                  onChange={(event) => {
                    const chosen = event.currentTarget.value === 'all' ? 'all' : 'panel';
                    onEdit({ rule: { ...draft, where: chosen }, isPlaced: true });
                  }}
                >
                  <option value="panel">{isPlaced || where === 'all' ? 'the panel’s port' : `port ${selected}`}</option>
                  <option value="all">all ports</option>
                </Select>
              )}
            </Field>
          )}
        </div>
        {isLog ? null : (
          <Field label="In a run" hint="A run of all messages of the panel then passes or fails by this rule.">
            {(ids) => (
              <Select
                {...ids}
                value={draft.must ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  change({ must: value === 'fire' || value === 'not-fire' ? value : null });
                }}
              >
                <option value="">no check</option>
                <option value="fire">must fire</option>
                <option value="not-fire">must not fire</option>
              </Select>
            )}
          </Field>
        )}
        {condition.kind === 'line' ? (
          <Switch
            label="Match case"
            checked={condition.matchCase}
            onChange={(matchCase) => change({ condition: { ...condition, matchCase } })}
          />
        ) : null}
        {condition.kind === 'silence' ? null : (
          <>
            <Field label="Colours">
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
            <Switch label="Mark" checked={actions.mark} onChange={(mark) => act({ mark })} />
          </>
        )}
        {isLog ? null : (
          <>
            <Switch label="Sound" checked={actions.sound} onChange={(sound) => act({ sound })} />
            <Switch label="Notify on the desktop" checked={actions.notify} onChange={(notify) => act({ notify })} />
            <AnswerFields
              answer={actions.answer}
              messages={[
                ...new Set(
                  panels
                    .find(({ id }) => id === place)
                    ?.pinnedMessages.filter((message) => numbersOf(message) === null)
                    .map(messageName),
                ),
              ]}
              error={answerError}
              onChange={(answer) => act({ answer })}
            />
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
          </>
        )}
      </details>
      <div className="buttons tight at-end">
        {onDelete === null ? null : (
          <Button size="sm" variant="quiet" onClick={onDelete}>
            Delete
          </Button>
        )}
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

interface AnswerFieldsProps {
  readonly answer: RuleAnswer | null;
  /** Names of the panel's pinned messages. */
  readonly messages: readonly string[];
  readonly error: string | null;
  readonly onChange: (answer: RuleAnswer | null) => void;
}

function AnswerFields({ answer, messages, error, onChange }: AnswerFieldsProps) {
  const choose = (kind: string) => {
    if (kind === 'pinned') {
      onChange({ kind, content: messages[0] ?? '' });
    } else if (kind === 'text' || kind === 'hex') {
      onChange({ kind, content: answer === null || answer.kind === 'pinned' ? '' : answer.content });
    } else {
      onChange(null);
    }
  };
  return (
    <>
      <Field
        label="Answer with"
        hint={messages.length === 0 ? 'A command can be chosen once the panel has one.' : undefined}
      >
        {(ids) => (
          <Select {...ids} value={answer?.kind ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">nothing</option>
            <option value="text">text</option>
            <option value="hex">hex bytes</option>
            {messages.length === 0 && answer?.kind !== 'pinned' ? null : (
              <option value="pinned">a command of the panel</option>
            )}
          </Select>
        )}
      </Field>
      {answer === null ? null : (
        <Field label="Answer" error={error}>
          {(ids) =>
            answer.kind === 'pinned' ? (
              <Select
                {...ids}
                value={answer.content}
                onChange={(event) => onChange({ ...answer, content: event.currentTarget.value })}
              >
                {messages.includes(answer.content) ? null : (
                  <option value={answer.content}>{`${answer.content} (not in this panel)`}</option>
                )}
                {messages.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </Select>
            ) : (
              <TextInput
                {...ids}
                mono
                autoComplete="off"
                value={answer.content}
                onChange={(event) => onChange({ ...answer, content: event.currentTarget.value })}
              />
            )
          }
        </Field>
      )}
    </>
  );
}
