/** Shape of a command: its arguments, options, help and examples. */

/** Values of options by their long names in camel case. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A list: an option that may be given several times. */
export type OptionValue = string | boolean | readonly string[] | undefined;

/** Returns the values of an option that may be given several times. */
export const listOf = (value: OptionValue): readonly string[] => (Array.isArray(value) ? value : []);

/** Completion of a value. `port`: the ports of the system. `file`: files. */
export type Completion = 'port' | 'file' | readonly string[];

export interface CommandOption {
  /** Flags in the notation of commander: `-b, --baud <rate>`. */
  readonly flags: string;
  readonly text: string;
  readonly completes?: Completion;
  /** Value without the option, for the help. */
  readonly standard?: string;
  /** True: the option may be given several times, and its value is a list. */
  readonly repeats?: true;
}

/** Option of every command that writes a file of a given name. */
export const forceOption: CommandOption = { flags: '-f, --force', text: 'replace a file that is there already' };

/** Texts that end `monitor`, `send` and the log of `flash`. */
export const awaitedOptions: readonly CommandOption[] = [
  {
    flags: '-u, --until <text>',
    text: 'end with 0 when a port has sent this text; \\n, \\t and \\xNN are escapes, /…/ is an expression',
  },
  {
    flags: '--fail-on <text>',
    text: 'end with 1 when a port has sent this text; may be given several times',
    repeats: true,
  },
];

export interface CommandArgument {
  /** `<port...>`: one or more. `[text...]`: any number. */
  readonly form: string;
  readonly text: string;
  readonly completes?: Completion;
}

/** The ports that a command opens, and their names on its command line. */
export interface PortUse {
  /**
   * Arguments that name them. `each`: all. `only`: the one that there is. `first`: the first, unless the port is left out. `option`:
   * none, but `--port`.
   */
  readonly place: 'each' | 'only' | 'first' | 'option';
  /** Sentence about a command line without a port. */
  readonly advice: string;
  /** True: the only USB port of the machine is not taken without being named. */
  readonly isNamed?: true;
  /** True: it is not taken without a terminal either. `--erase-all` counts as true. */
  readonly erases?: true;
  /** True: there is nothing to do without an argument beside the port. */
  readonly needsMore?: true;
  /** True: `--plan` opens no port. */
  readonly isSparedByPlan?: true;
}

export const newestOption: CommandOption = {
  flags: '--newest',
  text: 'take the USB port that was plugged in last (Linux)',
};

/**
 * Options of every command that opens a port.
 *
 * @param short Short name of `--port`, where it is free.
 */
export const portOptions = (
  short: '-p, ' | '' = '',
  text = 'port, in place of the argument',
): readonly CommandOption[] => [
  {
    flags: `${short}--port <port>`,
    text,
    completes: 'port',
    repeats: true,
  },
  newestOption,
];

export type CommandName =
  | 'ports'
  | 'monitor'
  | 'flash'
  | 'read'
  | 'erase'
  | 'backup'
  | 'restore'
  | 'nvs'
  | 'files'
  | 'efuses'
  | 'send'
  | 'modbus'
  | 'test'
  | 'info'
  | 'merge'
  | 'crash'
  | 'decode'
  | 'serve'
  | 'mcp'
  | 'publish'
  | 'pull'
  | 'completion'
  | 'man';

export interface Command {
  readonly name: CommandName;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly details: readonly string[];
  readonly arguments: readonly CommandArgument[];
  /** Missing: it opens no port of this machine, or names it in another way. */
  readonly ports?: PortUse;
  readonly options: readonly CommandOption[];
  /** Command lines without the name of the program, and their purpose. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
}

/** Returns the long name of an option: `--data-bits`. */
export const longFlag = ({ flags }: CommandOption): string => /--[a-z\d-]+/.exec(flags)?.[0] ?? flags;

/** Returns the short name of an option; null without one. */
export const shortFlag = ({ flags }: CommandOption): string | null => /^-[a-z]\b/.exec(flags)?.[0] ?? null;

export const takesValue = ({ flags }: CommandOption): boolean => flags.includes('<');
