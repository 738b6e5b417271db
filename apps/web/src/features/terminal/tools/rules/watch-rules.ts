/**
 * Hands the rules of all panels to the worker, and what they report to `rule-effects.ts`. It goes on while another page
 * of the app is open, as the ports do.
 */
import { portNumbers } from '@wirebench/serial';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { watchRulesOf } from '../../../../workbench/watched-rules.ts';
import { onPanelsChange, panelsNow } from '../../panels/store/panels-store.ts';
import { type LastPorts, lastPortsOf, logRules, runningRules } from './running-rules.ts';

let isWatching = false;
/** States of the ports at the last tick, as text. */
let states = '';
let lastPorts: LastPorts = new Map();

/**
 * Starts once, with the first terminal.
 *
 * @param isLog True: the terminal shows opened logs, where rules only colour, mark and count.
 */
export function watchRules(isLog: boolean): void {
  if (isWatching) {
    return;
  }
  isWatching = true;
  if (isLog) {
    const sendForLogs = () => watchRulesOf('panels', logRules(panelsNow().panels));
    sendForLogs();
    onPanelsChange(sendForLogs);
    return;
  }
  send();
  onPanelsChange(send);
  benchStatus.onTick(({ ruleEvents, status }) => {
    const now = portNumbers.map((port) => status.ports[port].state).join();
    if (now !== states) {
      states = now;
      send();
    }
    if (ruleEvents.length > 0) {
      void import('./rule-effects.ts').then(({ takeRuleEvents }) => takeRuleEvents(ruleEvents));
    }
  });
}

function send(): void {
  const { panels } = panelsNow();
  const { ports } = benchStatus.tick.status;
  lastPorts = lastPortsOf(lastPorts, panels, (port) => ports[port].state === 'connected');
  watchRulesOf('panels', runningRules(panels, lastPorts));
}
