/** Conditions in a board's eFuses that its plans depend on. */
import type { BootRules } from '../efuse/boot-rules.ts';
import type { EfuseWords } from '../efuse/read-efuses.ts';
import type { EspBoard } from '../esp-board.ts';

/** Returns true for a board whose plans depend on its eFuses. */
export function needsBootRules({ info: { security }, ability }: EspBoard): boolean {
  return ability.canAccessRegisters && (security.secureBoot === true || security.flashEncryption === true);
}

/** Decodes the eFuses. The code for it is fetched then, because most boards are open. */
export async function bootRulesOn({ ability }: EspBoard, words: EfuseWords): Promise<BootRules> {
  const { bootRulesOf, decodeEfuses, loadEfuseLayout } = await import('../efuse/index.ts');
  const rules = bootRulesOf(decodeEfuses(await loadEfuseLayout(words.chip, words.revision), words));
  // The ROM of the ESP32 has no word for encryption in its commands.
  return { ...rules, encryptsDownloads: rules.encryptsDownloads && ability.hasLongBegin };
}
