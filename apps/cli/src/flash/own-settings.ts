/** Settings of a write that only one family has, from the options of a command. */
import { type FamilyId, families, familyIds } from '@wirebench/boards';
import type { FamilyTypes } from '@wirebench/flasher/family';
import {
  type AnySettings,
  type SettingFlag,
  type SettingValue,
  type WriteSetting,
  writeSettings,
} from '@wirebench/flasher/write-settings';
import { type CommandOption, longFlag, type OptionValues, takesValue } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';

/** One option of the command line for a setting of a family. */
interface OwnOption {
  readonly family: FamilyId;
  readonly setting: WriteSetting;
  readonly flag: SettingFlag;
}

const ownOptions: readonly OwnOption[] = familyIds.flatMap((family) =>
  Object.values(writeSettings[family]).flatMap((setting) => setting.flags.map((flag) => ({ family, setting, flag }))),
);

/** @param isForConnect True: those that every command on a board takes. */
export const ownSettingOptions = (isForConnect: boolean): readonly CommandOption[] =>
  ownOptions
    .filter(({ setting }) => (setting.isForConnect ?? false) === isForConnect)
    .map(({ setting: { field }, flag: { flags, text, completes } }) => {
      const words =
        completes ?? (field.kind === 'choice' ? field.choices.map(({ value }) => String(value)) : undefined);
      return { flags, text, ...(words !== undefined && { completes: words }) };
    });

/** @throws CommandError for an option that boards of this family do not have. */
export function checkOwnOptions(family: FamilyId, options: OptionValues): void {
  const other = ownOptions.find((option) => option.family !== family && givenValue(option, options) !== undefined);
  if (other !== undefined) {
    throw new CommandError(
      exitCodes.usage,
      `${longFlag(other.flag)} is for ${families[other.family].name}, and this build is for ${families[family].name}.`,
    );
  }
}

/**
 * Returns `settings` with what the options say.
 *
 * @throws CommandError for a value that no board has.
 */
export function withOwnOptions(settings: FamilyTypes['settings'], options: OptionValues): FamilyTypes['settings'] {
  let own = settings;
  for (const option of ownOptions) {
    const value = givenValue(option, options);
    if (option.family === settings.family && value !== undefined) {
      own = option.setting.put(own as AnySettings, value);
    }
  }
  return own;
}

/** @throws CommandError for a value that no board has. */
export function checkOwnValues(options: OptionValues): void {
  for (const option of ownOptions) {
    givenValue(option, options);
  }
}

/**
 * Returns the value that an option gives; undefined if it is not given.
 *
 * @throws CommandError for a value that no board has.
 */
function givenValue({ flag, setting: { field } }: OwnOption, options: OptionValues): SettingValue | undefined {
  const long = longFlag(flag);
  const isOff = long.startsWith('--no-');
  const name = long.replace(/^--(no-)?/, '').replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const given = options[name];
  if (!takesValue(flag)) {
    return given === !isOff ? given : undefined;
  }
  if (given === undefined) {
    return undefined;
  }
  const text = String(given);
  const choices = field.kind === 'choice' ? field.choices : [];
  const value = flag.read === undefined ? choices.find((one) => String(one.value) === text)?.value : flag.read(text);
  if (value === undefined) {
    const words = flag.takes ?? choices.map((one) => one.value).join(', ');
    throw new CommandError(exitCodes.usage, `${long} takes ${words}, and not ${text}.`);
  }
  return value;
}
