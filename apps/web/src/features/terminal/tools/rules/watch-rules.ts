/**
 * Hands the rules of all panels to the worker, and what they report to `rule-effects.ts`. It goes on while another page
 * of the app is open, as the ports do.
 */
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { onPanelsChange, panelsNow } from '../../panels/store/panels-store.ts';
import { runningRules } from './running-rules.ts';

let isWatching = false;
let last = '[]';

/** Starts once, with the first terminal. */
export function watchRules(): void {
  if (isWatching) {
    return;
  }
  isWatching = true;
  send();
  onPanelsChange(send);
  benchStatus.onTick(({ ruleEvents }) => {
    if (ruleEvents.length > 0) {
      void import('./rule-effects.ts').then(({ takeRuleEvents }) => takeRuleEvents(ruleEvents));
    }
  });
}

function send(): void {
  const rules = runningRules(panelsNow().panels);
  const text = JSON.stringify(rules.map((rule) => ({ ...rule, answer: rule.answer && [...rule.answer] })));
  if (text !== last) {
    last = text;
    void getBench().call('setRules', rules);
  }
}
